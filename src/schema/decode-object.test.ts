import { expect, test } from "vitest";
import type { JsonObject } from "../json/index.ts";
import { builtinSchemas } from "./builtin-schemas.ts";
import { crdSchema } from "./crd-schema.ts";
import { decodeObject } from "./decode-object.ts";
import { emptyObject } from "./normalise.ts";
import { strictDecodingError } from "./prune-unknown.ts";
import type { Schema } from "./schema.ts";

function builtin(group: string, version: string, kind: string): Schema {
  return builtinSchemas().get({ group, version, kind }) ?? {};
}

const custom = crdSchema({
  type: "object",
  properties: {
    spec: {
      type: "object",
      default: {},
      properties: {
        size: { type: "integer", default: 3 },
        nullable: { type: "string", nullable: true, default: "x" },
        name: { type: "string" },
        list: {
          type: "array",
          items: { type: "object", properties: { a: { type: "string", default: "b" } } },
        },
        map: {
          type: "object",
          additionalProperties: {
            type: "object",
            properties: { c: { type: "integer", default: 1 } },
          },
        },
        free: {
          type: "object",
          "x-kubernetes-preserve-unknown-fields": true,
          properties: { known: { type: "object", properties: { d: { type: "string" } } } },
        },
        embedded: {
          type: "object",
          "x-kubernetes-embedded-resource": true,
          "x-kubernetes-preserve-unknown-fields": true,
        },
      },
    },
  },
});

test.each<[string, JsonObject, JsonObject, string[]]>([
  ["defaults reach down", {}, { spec: { size: 3, nullable: "x" } }, []],
  [
    "a null stays only where it may",
    { spec: { size: null, nullable: null, name: null } },
    { spec: { size: 3, nullable: null } },
    [],
  ],
  [
    "lists and maps are defaulted item by item",
    { spec: { size: 1, nullable: "y", list: [{}], map: { x: {} } } },
    { spec: { size: 1, nullable: "y", list: [{ a: "b" }], map: { x: { c: 1 } } } },
    [],
  ],
  [
    "unknown fields go, except where they are kept",
    {
      foo: 1,
      spec: { size: 1, nullable: "y", bar: 1, free: { any: [{ z: 1 }], known: { e: 1, d: "d" } } },
    },
    { spec: { size: 1, nullable: "y", free: { any: [{ z: 1 }], known: { d: "d" } } } },
    ["foo", "spec.bar", "spec.free.known.e"],
  ],
  [
    "embedded objects keep all but unknown metadata",
    { spec: { size: 1, nullable: "y", embedded: { kind: "X", metadata: { zz: 1 }, more: 1 } } },
    { spec: { size: 1, nullable: "y", embedded: { kind: "X", metadata: {}, more: 1 } } },
    ["spec.embedded.metadata.zz"],
  ],
])("custom: %s", (_name, sent, expected, unknown) => {
  const { object, unknownFields } = decodeObject(custom, sent);
  expect(object).toEqual(expected);
  expect(unknownFields).toEqual(unknown);
});

test("the message of strict validation lists every field", () => {
  const { unknownFields } = decodeObject(builtin("", "v1", "Pod"), {
    metadata: { name: "v", foo: 1 },
    bar: 1,
    spec: { containers: [{ name: "a", image: "b", imagee: 1, ports: [{ x: 1 }] }] },
  });
  expect(strictDecodingError(unknownFields)).toBe(
    'strict decoding error: unknown field "metadata.foo", unknown field "bar", unknown field "spec.containers[0].imagee", unknown field "spec.containers[0].ports[0].x"',
  );
});

test.each<[string, string, JsonObject, string]>([
  [
    "",
    "ConfigMap",
    { data: { a: 1 } },
    "json: cannot unmarshal number into Go struct field ConfigMap.data of type string",
  ],
  ["", "Secret", { data: { c: "eQ" } }, "illegal base64 data at input byte 0"],
  [
    "apps",
    "Deployment",
    { spec: { replicas: "3" } },
    "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32",
  ],
  [
    "apps",
    "Deployment",
    { spec: { replicas: 1.5 } },
    "json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32",
  ],
  [
    "",
    "Pod",
    { spec: { containers: {} } },
    "json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []",
  ],
  [
    "",
    "Pod",
    { spec: { overhead: { cpu: "x" } } },
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  ],
])("%s %s cannot be read: %j", (group, kind, sent, problem) => {
  expect(decodeObject(builtin(group, "v1", kind), sent).problems).toEqual([problem]);
});

test("what Go leaves out and what it always writes", () => {
  expect(emptyObject(builtin("rbac.authorization.k8s.io", "v1", "Role"), "v1", "Role")).toEqual({
    apiVersion: "v1",
    kind: "Role",
    metadata: {},
    rules: null,
  });
  const { object } = decodeObject(builtin("", "v1", "ConfigMap"), {
    metadata: { labels: {}, finalizers: [], creationTimestamp: null, generation: 0 },
    data: { a: null, b: "" },
    binaryData: {},
    immutable: false,
  });
  expect(object).toEqual({ metadata: {}, data: { a: "", b: "" }, immutable: false });
});
