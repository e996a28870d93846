import { definitionVersion, definitionVersionAnnotation } from "../inventory/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import { accountNamePattern, bundleGroup, modifiers } from "./bundle.ts";

const text = { type: "string" };
const name = { type: "string", minLength: 1, maxLength: 253 };
const accountName = {
  type: "string",
  maxLength: 253,
  pattern: accountNamePattern,
  description:
    "The service account of the namespace with whose rights objects are read, written and deleted; default if not set.",
};
const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

const reference = {
  type: "object",
  required: ["resource"],
  properties: {
    name: { type: "string", minLength: 1, maxLength: 253, pattern: "^[^{}\\s]+$" },
    resource: name,
    path: { type: "string", minLength: 1, maxLength: 10_000 },
    example: { "x-kubernetes-preserve-unknown-fields": true },
    modifier: { type: "string", enum: [...modifiers] },
  },
};

const resource = {
  type: "object",
  required: ["name", "spec"],
  properties: {
    name: { type: "string", maxLength: 63, pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$" },
    references: { type: "array", maxItems: 100, items: reference },
    dependsOn: { type: "array", maxItems: 100, items: name },
    spec: {
      // Smith's first bundles have the object here, without a field around it.
      ...open,
      oneOf: [
        { required: ["object"] },
        { required: ["plugin"] },
        { required: ["apiVersion", "kind", "metadata"] },
      ],
      properties: {
        object: {
          ...open,
          required: ["apiVersion", "kind", "metadata"],
          properties: {
            apiVersion: name,
            kind: name,
            metadata: { ...open, required: ["name"], properties: { name } },
          },
        },
        plugin: {
          type: "object",
          required: ["name", "objectName"],
          properties: { name, objectName: name, spec: open },
        },
      },
    },
  },
};

const conditions = {
  type: "array",
  items: {
    type: "object",
    required: ["type", "status"],
    properties: {
      type: text,
      status: text,
      reason: text,
      message: text,
      lastTransitionTime: { type: "string", format: "date-time" },
    },
  },
};

const object = {
  type: "object",
  properties: { group: text, version: text, kind: text, name: text },
};

/** One that left the bundle, and why it stays, where it does. */
const leavingObject = {
  ...object,
  properties: { ...object.properties, reason: text, message: text },
};

const schema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        serviceAccountName: accountName,
        resources: {
          type: "array",
          maxItems: 1000,
          items: resource,
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
        },
      },
    },
    status: {
      type: "object",
      properties: {
        observedGeneration: { type: "integer", format: "int64" },
        conditions,
        resourceStatuses: {
          type: "array",
          items: { type: "object", properties: { name: text, conditions } },
        },
        objects: { type: "array", items: object },
        objectsToDelete: { type: "array", items: leavingObject },
        heldOutputs: {
          type: "array",
          items: { type: "object", properties: { kind: text, name: text } },
        },
        history: { type: "array", items: open },
      },
    },
  },
};

const condition = (type: string): string => `.status.conditions[?(@.type=="${type}")].status`;

function definition(kind: string, plural: string, shortName: string): KubernetesObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: `${plural}.${bundleGroup}`,
      annotations: { [definitionVersionAnnotation]: String(definitionVersion) },
    },
    spec: {
      group: bundleGroup,
      scope: "Namespaced",
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: kind.toLowerCase(),
        shortNames: [shortName],
      },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: [
            { name: "Ready", type: "string", jsonPath: condition("Ready") },
            { name: "Error", type: "string", jsonPath: condition("Error") },
            {
              name: "Reason",
              type: "string",
              jsonPath: '.status.conditions[?(@.status=="True")].reason',
            },
            { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
          ],
          schema: { openAPIV3Schema: schema },
        },
      ],
    },
  };
}

/** The definitions of bundles, under their name of today and under that of the first days. */
export const bundleDefinitions: readonly KubernetesObject[] = [
  definition("Bundle", "bundles", "bdl"),
  definition("Template", "templates", "tpl"),
];
