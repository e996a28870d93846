import { expect, test } from "vitest";
import type { JsonObject } from "../json/index.ts";
import { applyDefaults } from "./apply-defaults.ts";
import { crdSchema } from "./crd-schema.ts";
import observed from "../../test/facts/api-server-schema-errors.json" with { type: "json" };
import { validate } from "./validate.ts";

const schema = crdSchema({
  type: "object",
  required: ["spec"],
  properties: {
    spec: {
      type: "object",
      properties: {
        str: { type: "string", minLength: 2, maxLength: 4, pattern: "^a" },
        int: { type: "integer", minimum: 1, maximum: 5, multipleOf: 2 },
        ex: {
          type: "number",
          minimum: 1,
          exclusiveMinimum: true,
          maximum: 5,
          exclusiveMaximum: true,
        },
        en: { type: "string", enum: ["a", "b"] },
        arr: { type: "array", minItems: 1, maxItems: 2, items: { type: "string" } },
        obj: {
          type: "object",
          minProperties: 1,
          maxProperties: 2,
          additionalProperties: { type: "integer" },
        },
        req: {
          type: "object",
          required: ["x"],
          properties: { x: { type: "string" }, y: { type: "boolean" } },
        },
        ios: { "x-kubernetes-int-or-string": true },
        any: {
          type: "object",
          properties: { p: { type: "integer" }, q: { type: "integer" } },
          anyOf: [{ required: ["p"] }, { required: ["q"] }],
        },
        one: {
          type: "object",
          properties: { p: { type: "integer" }, q: { type: "integer" } },
          oneOf: [{ required: ["p"] }, { required: ["q"] }],
        },
        all: {
          type: "object",
          properties: { p: { type: "integer" }, q: { type: "integer" } },
          allOf: [{ required: ["p"] }, { required: ["q"] }],
        },
        not: { type: "object", properties: { p: { type: "integer" } }, not: { required: ["p"] } },
        date: { type: "string", format: "date-time" },
        d2: { type: "string", format: "date" },
        ip: { type: "string", format: "ipv4" },
        uri: { type: "string", format: "uri" },
        byte: { type: "string", format: "byte" },
        i32: { type: "integer", format: "int32" },
        set: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
        map: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["k"],
          items: {
            type: "object",
            required: ["k"],
            properties: { k: { type: "string" }, v: { type: "integer", maximum: 3 } },
          },
        },
        m2: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["k", "j"],
          items: {
            type: "object",
            required: ["k"],
            properties: { k: { type: "string" }, j: { type: "integer", default: 1 } },
          },
        },
        nul: { type: "string", nullable: true },
        emb: {
          type: "object",
          "x-kubernetes-embedded-resource": true,
          "x-kubernetes-preserve-unknown-fields": true,
        },
        email: { type: "string", format: "email" },
        uuid: { type: "string", format: "uuid" },
        dur: { type: "string", format: "duration" },
        host: { type: "string", format: "hostname" },
        nested: {
          type: "array",
          items: {
            type: "object",
            properties: {
              a: {
                type: "object",
                additionalProperties: { type: "object", properties: { b: { type: "integer" } } },
              },
            },
          },
        },
        enn: { type: "integer", enum: [1, 2] },
      },
    },
  },
});

function check(object: JsonObject): readonly string[] {
  const defaulted = applyDefaults(schema, { apiVersion: "ex.io/v1", kind: "Val", ...object });
  return validate(schema, defaulted).map(
    ({ type, field, detail }) => `${type} ${field}: ${detail}`,
  );
}

/** What kube-apiserver 1.36.3 answered, by the spec that it was sent. */
const cases = observed as unknown as readonly { spec: JsonObject; errors: readonly string[] }[];

test.each(cases.map((each) => [JSON.stringify(each.spec), each] as const))(
  "%s is refused as observed",
  (_name, { spec, errors }) => {
    expect(check({ spec })).toEqual(errors);
  },
);

test("a field that is required is missing", () => {
  expect(check({})).toEqual(["FieldValueRequired spec: Required value"]);
});
