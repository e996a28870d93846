import { readType, type Variables } from "../../../../cel/index.ts";
import type { Schema } from "../../../../schema/index.ts";

const text: Schema = { type: "string" };
const texts: Schema = { type: "array", items: text };
const textMap: Schema = { type: "object", additionalProperties: text };
const time: Schema = { type: "string", format: "date-time" };
const count: Schema = { type: "integer" };

function record(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: "object", properties: new Map(Object.entries(properties)) };
}

const kind = record({ group: text, version: text, kind: text });
const resource = record({ group: text, version: text, resource: text });

const request = record({
  kind,
  resource,
  subResource: text,
  requestKind: kind,
  requestResource: resource,
  requestSubResource: text,
  name: text,
  namespace: text,
  operation: text,
  userInfo: record({
    username: text,
    uid: text,
    groups: texts,
    extra: { type: "object", additionalProperties: texts },
  }),
  dryRun: { type: "boolean" },
  options: { type: "object", additionalProperties: true, preserveUnknownFields: true },
});

const namespaceObject = record({
  metadata: record({
    name: text,
    generateName: text,
    namespace: text,
    labels: textMap,
    annotations: textMap,
    UID: text,
    creationTimestamp: time,
    deletionGracePeriodSeconds: count,
    deletionTimestamp: time,
    generation: count,
    resourceVersion: text,
    finalizers: texts,
  }),
  spec: record({ finalizers: texts }),
  status: record({
    phase: text,
    conditions: {
      type: "array",
      items: record({
        status: text,
        type: text,
        lastTransitionTime: time,
        message: text,
        reason: text,
      }),
    },
  }),
});

const authorization = "kubernetes.authorization.";

/** What an expression of a policy or of a match condition can name. */
export function expressionVariables(options: {
  readonly hasParams: boolean;
  readonly hasAuthorizer: boolean;
}): Variables {
  return {
    object: {},
    oldObject: {},
    request: { schema: request, typeName: "kubernetes.AdmissionRequest" },
    namespaceObject: { schema: namespaceObject, typeName: "kubernetes.Namespace" },
    ...(options.hasParams ? { params: {} } : {}),
    ...(options.hasAuthorizer
      ? {
          authorizer: { type: readType(`${authorization}Authorizer`) },
          "authorizer.requestResource": { type: readType(`${authorization}ResourceCheck`) },
        }
      : {}),
  };
}
