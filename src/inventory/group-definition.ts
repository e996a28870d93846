import type { KubernetesObject } from "../objects/index.ts";

/** Counts up when any definition of ours changes; clusters with an older one are updated. */
export const definitionVersion = 5;
export const definitionVersionAnnotation = "keelson.dev/definition-version";

const text = { type: "string" };
const condition = {
  type: "object",
  required: ["type", "status"],
  properties: {
    type: text,
    status: text,
    reason: text,
    message: text,
    lastTransitionTime: { type: "string", format: "date-time" },
  },
};

/**
 * The CustomResourceDefinition of ResourceGroups, for the objects that kpt has too. The lists have no
 * schema: with one, each write of a thousand entries takes the API server twice as long.
 */
export const groupDefinition: KubernetesObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: {
    name: "resourcegroups.kpt.dev",
    annotations: { [definitionVersionAnnotation]: String(definitionVersion) },
  },
  spec: {
    group: "kpt.dev",
    scope: "Namespaced",
    names: {
      kind: "ResourceGroup",
      listKind: "ResourceGroupList",
      plural: "resourcegroups",
      singular: "resourcegroup",
    },
    versions: [
      {
        name: "v1alpha1",
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          {
            name: "Reconciling",
            type: "string",
            jsonPath: '.status.conditions[?(@.type=="Reconciling")].status',
          },
          {
            name: "Stalled",
            type: "string",
            jsonPath: '.status.conditions[?(@.type=="Stalled")].status',
          },
          { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
        ],
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              apiVersion: text,
              kind: text,
              metadata: { type: "object" },
              spec: {
                type: "object",
                description:
                  "What is owned: descriptor {type, revision, description} and resources [{group, kind, namespace, name}].",
                "x-kubernetes-preserve-unknown-fields": true,
              },
              status: {
                type: "object",
                description:
                  "How it is: resourceStatuses [{group, kind, namespace, name, status, strategy, actuation, reconcile}], and the history of runs.",
                "x-kubernetes-preserve-unknown-fields": true,
                properties: {
                  observedGeneration: { type: "integer", format: "int64" },
                  conditions: { type: "array", items: condition },
                },
              },
            },
          },
        },
      },
    ],
  },
};
