import { expect, test } from "vitest";
import type { JsonObject } from "../json/index.ts";
import { formatFieldError } from "./field-error.ts";
import { checkStructural } from "./structural-schema.ts";

function check(schema: JsonObject): readonly string[] {
  return checkStructural(schema, "schema").map(formatFieldError);
}

const property = (node: JsonObject): JsonObject => ({ type: "object", properties: { a: node } });

test.each<[string, JsonObject, string[]]>([
  ["no type at the root", {}, ["schema.type: Required value: must not be empty at the root"]],
  [
    "another type at the root",
    { type: "array", items: { type: "string" } },
    ['schema.type: Invalid value: "array": must be object at the root'],
  ],
  [
    "a field without a type",
    property({ minimum: 1 }),
    ["schema.properties[a].type: Required value: must not be empty for specified object fields"],
  ],
  [
    "items without a type",
    property({ type: "array", items: {} }),
    [
      "schema.properties[a].items.type: Required value: must not be empty for specified array items",
    ],
  ],
  [
    "a list without items",
    property({ type: "array" }),
    ["schema.properties[a].items: Required value: must be specified"],
  ],
  [
    "a type under anyOf",
    property({ type: "string", anyOf: [{ type: "string" }] }),
    ["schema.properties[a].anyOf[0].type: Forbidden: must be empty to be structural"],
  ],
  [
    "int or string",
    property({
      "x-kubernetes-int-or-string": true,
      anyOf: [{ type: "integer" }, { type: "string" }],
    }),
    [],
  ],
  [
    "a field only under anyOf",
    { type: "object", anyOf: [{ properties: { b: { minimum: 1 } } }] },
    [
      "schema.properties[b]: Required value: because it is defined in schema.anyOf[0].properties[b]",
    ],
  ],
  [
    "metadata with more than a name",
    { type: "object", properties: { metadata: { type: "object", required: ["labels"] } } },
    [
      "schema.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified",
    ],
  ],
  [
    "additionalProperties at the root",
    { type: "object", additionalProperties: { type: "string" } },
    ["schema.additionalProperties: Forbidden: must not be used at the root"],
  ],
  [
    "a default under not",
    property({ type: "string", not: { default: "x" } }),
    ["schema.properties[a].not.default: Forbidden: must be undefined to be structural"],
  ],
  [
    "an embedded resource that is no object",
    property({ "x-kubernetes-embedded-resource": true }),
    [
      "schema.properties[a].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields",
      "schema.properties[a].type: Required value: must be object if x-kubernetes-embedded-resource is true",
    ],
  ],
])("%s", (_name, schema, expected) => {
  expect(check(schema)).toEqual(expected);
});
