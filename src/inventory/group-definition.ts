import type { KubernetesObject } from "../objects/index.ts";

/** Counts up when the definition below changes. */
export const definitionVersion = 2;
export const definitionVersionAnnotation = "keelson.dev/definition-version";

const text = { type: "string" };
const identity = { group: text, kind: text, namespace: text, name: text };
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

/** The CustomResourceDefinition of ResourceGroups, as kpt has it. */
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
                properties: {
                  descriptor: {
                    type: "object",
                    properties: { type: text, revision: text, description: text },
                  },
                  resources: {
                    type: "array",
                    items: {
                      type: "object",
                      required: ["group", "kind", "name", "namespace"],
                      properties: identity,
                    },
                  },
                },
              },
              status: {
                type: "object",
                properties: {
                  observedGeneration: { type: "integer", format: "int64" },
                  conditions: { type: "array", items: condition },
                  resourceStatuses: {
                    type: "array",
                    items: {
                      type: "object",
                      required: ["group", "kind", "name", "namespace", "status"],
                      properties: {
                        ...identity,
                        status: text,
                        sourceHash: text,
                        strategy: text,
                        actuation: text,
                        reconcile: text,
                        conditions: { type: "array", items: condition },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
};
