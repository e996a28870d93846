import type { KubernetesObject } from "../objects/index.ts";
import { definitionVersion, definitionVersionAnnotation } from "./group-definition.ts";

const text = { type: "string" };
const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

/** The CustomResourceDefinition of records of what is outside of Kubernetes. */
export const provisionedDefinition: KubernetesObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: {
    name: "provisioneds.keelson.dev",
    annotations: { [definitionVersionAnnotation]: String(definitionVersion) },
  },
  spec: {
    group: "keelson.dev",
    scope: "Namespaced",
    names: {
      kind: "Provisioned",
      listKind: "ProvisionedList",
      plural: "provisioneds",
      singular: "provisioned",
    },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        additionalPrinterColumns: [
          { name: "Type", type: "string", jsonPath: ".spec.type" },
          { name: "Phase", type: "string", jsonPath: ".status.phase" },
          { name: "Id", type: "string", jsonPath: ".status.id" },
        ],
        schema: {
          openAPIV3Schema: {
            type: "object",
            required: ["spec"],
            properties: {
              spec: {
                type: "object",
                required: ["name", "type", "provider", "inputs"],
                properties: {
                  name: text,
                  type: text,
                  provider: text,
                  inputs: anything,
                  deletionPolicy: { type: "string", enum: ["delete", "retain"] },
                  protect: { type: "boolean" },
                  secret: { type: "array", items: text },
                  timeouts: {
                    type: "object",
                    properties: { create: text, update: text, delete: text },
                  },
                },
              },
              status: {
                type: "object",
                properties: {
                  phase: text,
                  id: text,
                  inputs: anything,
                  outputs: anything,
                  message: text,
                  drifted: { type: "array", items: text },
                  replaced: {
                    type: "array",
                    items: { type: "object", properties: { id: text, inputs: anything } },
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
