import { expect, test } from "vitest";
import type { JsonObject } from "../json/index.ts";
import { crdSchema } from "../schema/index.ts";
import { compareValues } from "./compare-values.ts";
import { decodeFieldsV1 } from "./fields-v1.ts";
import { FieldSet } from "./field-set.ts";
import { mergeValues } from "./merge-values.ts";
import { formatPath } from "./path-element.ts";
import { removeItems } from "./remove-items.ts";
import { toFieldSet } from "./to-field-set.ts";
import { typeNodeOf } from "./type-node.ts";

const type = typeNodeOf(
  crdSchema({
    type: "object",
    properties: {
      list: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
        items: { type: "object", properties: { k: { type: "string" }, v: { type: "integer" } } },
      },
      map: { type: "object", additionalProperties: { type: "string" } },
      any: { "x-kubernetes-preserve-unknown-fields": true },
    },
  }),
);

const value: JsonObject = {
  list: [
    { k: "a", v: 1 },
    { k: "b", v: 2 },
  ],
  map: { x: "1", y: "2" },
};

function fields(text: JsonObject): FieldSet {
  return decodeFieldsV1(text) ?? new FieldSet();
}

test.each<[string, JsonObject, JsonObject]>([
  ["an item", { "f:list": { 'k:{"k":"a"}': {} } }, { ...value, list: [{ k: "b", v: 2 }] }],
  [
    "a field of an item",
    { "f:list": { 'k:{"k":"a"}': { "f:v": {} } } },
    { ...value, list: [{ k: "a" }, { k: "b", v: 2 }] },
  ],
  ["all entries of a map", { "f:map": { "f:x": {}, "f:y": {} } }, { ...value, map: null }],
])("removes %s", (_name, removed, expected) => {
  expect(removeItems(type, value, fields(removed))).toEqual(expected);
});

test.each<[string, JsonObject, JsonObject, JsonObject]>([
  [
    "applied order wins among shared items",
    { list: [{ k: "a" }, { k: "b" }] },
    { list: [{ k: "b" }, { k: "a" }] },
    { list: [{ k: "b" }, { k: "a" }] },
  ],
  [
    "live items stay where they were",
    { list: [{ k: "a" }, { k: "x" }, { k: "b" }] },
    { list: [{ k: "b" }, { k: "c" }] },
    { list: [{ k: "a" }, { k: "x" }, { k: "b" }, { k: "c" }] },
  ],
  ["an applied null removes nothing", { any: { a: 1 } }, { any: null }, { any: { a: 1 } }],
  ["another type replaces", { any: { a: 1 } }, { any: "x" }, { any: "x" }],
  ["an empty list adds nothing", { list: [{ k: "a" }] }, { list: [] }, { list: [{ k: "a" }] }],
])("merges: %s", (_name, live, applied, expected) => {
  expect(mergeValues(type, live, applied)).toEqual(expected);
});

test.each<[string, JsonObject, JsonObject, string]>([
  ["a changed leaf", { map: { x: "1" } }, { map: { x: "2" } }, "modified .map.x"],
  [
    "a new item, with itself and its fields",
    {},
    { list: [{ k: "a" }] },
    'added .list .list[k="a"] .list[k="a"].k',
  ],
  ["a removed entry", { map: { x: "1" } }, { map: {} }, "removed .map.x"],
  ["empty and null differ", { map: {} }, { map: null }, "modified .map"],
  [
    "one of two equal items goes",
    {
      list: [
        { k: "a", v: 1 },
        { k: "a", v: 2 },
      ],
    },
    { list: [{ k: "a", v: 1 }] },
    'added .list[k="a"] .list[k="a"].k .list[k="a"].v, removed .list[k="a"]',
  ],
  [
    "equal items change as one",
    {
      list: [
        { k: "a", v: 1 },
        { k: "a", v: 2 },
      ],
    },
    {
      list: [
        { k: "a", v: 1 },
        { k: "a", v: 3 },
      ],
    },
    'modified .list[k="a"]',
  ],
  ["a type changes", { any: { a: 1 } }, { any: "x" }, "modified .any, removed .any.a"],
])("compares: %s", (_name, left, right, expected) => {
  const comparison = compareValues(type, left, right);
  const shown = (["added", "modified", "removed"] as const)
    .map((kind) => [kind, ...[...comparison[kind].paths()].map(formatPath)])
    .filter((parts) => parts.length > 1)
    .map((parts) => parts.join(" "));
  expect(shown.join(", ")).toBe(expected);
});

test("equal items of a live list are owned as one", () => {
  const set = toFieldSet(type, {
    list: [
      { k: "a", v: 1 },
      { k: "a", v: 2 },
    ],
  });
  expect([...set.paths()].map(formatPath)).toEqual(['.list[k="a"]']);
});
