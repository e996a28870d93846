import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../json/index.ts";
import { crdSchema } from "../schema/index.ts";
import { FieldSet, fieldSetOf } from "./field-set.ts";
import { decodeFieldsV1, encodeFieldsV1 } from "./fields-v1.ts";
import { formatPath } from "./path-element.ts";
import { typeNodeOf } from "./type-node.ts";

/** A set from lines such as `spec.replicas`; for reading, all steps are fields. */
function set(...paths: readonly string[]): FieldSet {
  return fieldSetOf(...paths.map((path) => path.split(".").map((step) => `f:${step}`)));
}

function show(fields: FieldSet): readonly string[] {
  return [...fields.paths()].map((path) => formatPath(path).slice(1));
}

test("union, intersection and difference", () => {
  const left = set("a", "a.b", "c.d");
  const right = set("a", "c.d", "c.e");
  expect(show(left.union(right))).toEqual(["a", "a.b", "c.d", "c.e"]);
  expect(show(left.intersection(right))).toEqual(["a", "c.d"]);
  expect(show(left.difference(right))).toEqual(["a.b"]);
});

test("a recursive difference also removes what lies below", () => {
  expect(show(set("a", "a.b", "a.b.c", "d").recursiveDifference(set("a")))).toEqual(["d"]);
  expect(show(set("a.b.c", "a.d").recursiveDifference(set("a.b")))).toEqual(["a.d"]);
});

test("leaves", () => {
  expect(show(set("a", "a.b", "c").leaves())).toEqual(["c", "a.b"]);
});

test("fields of the schema on the way become members, entries of maps do not", () => {
  const schema = crdSchema({
    type: "object",
    properties: {
      spec: {
        type: "object",
        properties: { labels: { type: "object", additionalProperties: { type: "object" } } },
      },
    },
  });
  const named = set("spec.labels.x.y").ensureNamedFieldsAreMembers(typeNodeOf(schema));
  expect(show(named)).toEqual(["spec", "spec.labels", "spec.labels.x.y"]);
});

test.each<[string, JsonObject]>([
  ["members and children", { "f:a": { ".": {}, "f:b": {} }, "f:c": { "f:d": {} } }],
  [
    "fields before keyed items before set items",
    { "f:z": {}, 'k:{"name":"a"}': {}, 'v:"a"': {}, "i:0": {} },
  ],
  ["numbers before strings, by value", { "v:2": {}, "v:10": {}, 'v:"1"': {}, "v:true": {} }],
  ["keys by name and then value", { 'k:{"a":1,"b":2}': {}, 'k:{"a":2}': {}, 'k:{"b":1}': {} }],
])("managedFields keep their text: %s", (_name, fields) => {
  const decoded = decodeFieldsV1(structuredClone(fields)) ?? new FieldSet();
  const copy = new FieldSet(decoded.members, decoded.children);
  expect(JSON.stringify(encodeFieldsV1(copy))).toBe(JSON.stringify(fields));
});

test("keys are brought into order, and characters are escaped as Go does", () => {
  const decoded = decodeFieldsV1({ 'k:{"b":1,"a":"<x>"}': {} }) ?? new FieldSet();
  expect(Object.keys(encodeFieldsV1(new FieldSet(decoded.members)))).toEqual([
    String.raw`k:{"a":"\u003cx\u003e","b":1}`,
  ]);
});

test.each<[string, JsonObject]>([
  ["no colon", { spec: {} }],
  ["a key that is no JSON", { "k:{": {} }],
  ["a value that is no map", { "f:a": 1 }],
])("malformed: %s", (_name, fields) => {
  expect(decodeFieldsV1(fields)).toBeUndefined();
});

test("unknown kinds of steps are left out", () => {
  expect(decodeFieldsV1({ "x:new": {} })?.isEmpty).toBe(true);
});

const sets = fc
  .array(
    fc.array(fc.constantFrom("f:a", "f:b", 'k:{"n":1}', "v:2"), { minLength: 1, maxLength: 4 }),
    {
      maxLength: 8,
    },
  )
  .map((paths) => fieldSetOf(...paths));

test("sets obey the laws of sets", () => {
  fc.assert(
    fc.property(sets, sets, (left, right) => {
      expect(left.union(right).equals(right.union(left))).toBe(true);
      expect(left.intersection(right).equals(right.intersection(left))).toBe(true);
      expect(left.difference(right).intersection(right).isEmpty).toBe(true);
      expect(left.difference(right).union(left.intersection(right)).equals(left)).toBe(true);
      expect(decodeFieldsV1(structuredClone(encodeFieldsV1(left)))?.equals(left)).toBe(true);
    }),
  );
});
