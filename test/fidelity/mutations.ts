import { type JsonObject, type JsonValue, isJsonObject } from "../../src/json/index.ts";
import type { Chance } from "../faults/simulation/chance.ts";
import type { KindSchema } from "./open-api.ts";
import {
  boundaryIntegers,
  boundaryIntsOrTexts,
  boundaryQuantities,
  isIntOrString,
  isQuantity,
  sampleValue,
  texts,
} from "./sample-value.ts";

export type Path = readonly (string | number)[];

/** One change of one field. */
export interface Mutation {
  readonly path: Path;
  /** What kind of change it is, for people who read a table of failures. */
  readonly what: string;
  /** The new value; without one the field is removed. */
  readonly value?: JsonValue;
}

/** What the server sets, or what tells where an object is. */
const leftOut: ReadonlySet<string> = new Set([
  "apiVersion",
  "kind",
  "status",
  "metadata.namespace",
  "metadata.uid",
  "metadata.resourceVersion",
  "metadata.generation",
  "metadata.creationTimestamp",
  "metadata.deletionTimestamp",
  "metadata.deletionGracePeriodSeconds",
  "metadata.managedFields",
  "metadata.selfLink",
]);

/** Every change of one field of an object that the fuzzer knows. */
export function mutationsOf(
  schema: KindSchema,
  object: JsonObject,
  chance: Chance,
): readonly Mutation[] {
  const found: Mutation[] = [];
  collect(schema, object, [], chance, found);
  return found.filter(
    ({ path, value }) =>
      path.length > 0 && (value === undefined || !isSame(valueAt(object, path), value)),
  );
}

/** An object with one field changed; undefined where the object has no such place. */
export function mutated(object: JsonObject, { path, value }: Mutation): JsonObject | undefined {
  const copy = structuredClone(object);
  const parent = valueAt(copy, path.slice(0, -1));
  const last = path.at(-1) ?? "";
  if (Array.isArray(parent) && typeof last === "number") {
    if (value === undefined) parent.splice(last, 1);
    else parent[last] = value;
    return copy;
  }
  if (!isJsonObject(parent)) return undefined;
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

function valueAt(object: JsonObject, path: Path): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const step of path) {
    if (Array.isArray(value) && typeof step === "number") value = value[step];
    else if (isJsonObject(value)) value = value[step];
    else return undefined;
  }
  return value;
}

function isSame(left: JsonValue | undefined, right: JsonValue): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function collect(
  schema: KindSchema,
  value: JsonValue,
  path: Path,
  chance: Chance,
  found: Mutation[],
): void {
  const add = (what: string, ...values: readonly JsonValue[]): void => {
    for (const each of values) found.push({ path, what, value: each });
  };
  if (path.length > 0) {
    found.push({ path, what: "removed" });
    add("null", null);
    add("wrong type", wrongType(value, schema, chance));
  }
  if (Array.isArray(value)) {
    collectList(schema, value, path, chance, found);
    return;
  }
  if (isJsonObject(value)) {
    collectObject(schema, value, path, chance, found);
    return;
  }
  add("other value", ...otherValues(schema, value));
}

function collectList(
  schema: KindSchema,
  list: readonly JsonValue[],
  path: Path,
  chance: Chance,
  found: Mutation[],
): void {
  const items = schema.items();
  const add = (what: string, value: JsonValue): number => found.push({ path, what, value });
  const [first] = list;
  add("emptied", []);
  if (first !== undefined) add("duplicate item", [...list, structuredClone(first)]);
  if (list.length > 1) {
    add("reversed", [...list].reverse());
    add("last item removed", list.slice(0, -1));
  }
  if (items === undefined) return;
  add("zero item", [...list, items.node.type === "string" ? "" : {}]);
  for (let times = 0; times < 3; times++) {
    add("another item", [...list, sampleValue(items, chance, 1)]);
  }
  for (const [index, each] of list.entries()) {
    collect(items, each, [...path, index], chance, found);
  }
}

function collectObject(
  schema: KindSchema,
  object: JsonObject,
  path: Path,
  chance: Chance,
  found: Mutation[],
): void {
  if (path.length > 0) found.push({ path, what: "emptied", value: {} });
  if (schema.isMap) {
    const value = schema.property("any");
    const sample = Object.values(object)[0] ?? "a";
    for (const key of ["a b", "", "x".repeat(64), "a/b/c", "added", "/a", "Example.com/a", "a."]) {
      found.push({ path: [...path, key], what: "another key", value: sample });
    }
    if (value !== undefined) {
      for (let times = 0; times < 3; times++) {
        const added = sampleValue(value, chance, 1);
        found.push({ path: [...path, "added"], what: "another key", value: added });
      }
    }
  } else if (schema.node.properties !== undefined) {
    found.push({ path: [...path, "unknownField"], what: "unknown field", value: "a" });
  }
  for (const [key, value] of Object.entries(object)) {
    const below = schema.property(key);
    if (below === undefined || leftOut.has([...path, key].join("."))) continue;
    collect(below, value, [...path, key], chance, found);
  }
  for (const [key, below] of schema.properties()) {
    if (key in object || leftOut.has([...path, key].join("."))) continue;
    const times = below.node.type === "object" || below.node.properties !== undefined ? 6 : 4;
    for (let count = 0; count < times; count++) {
      found.push({
        path: [...path, key],
        what: "field added",
        value: sampleValue(below, chance, 1),
      });
    }
    if (below.node.properties !== undefined) {
      found.push({ path: [...path, key], what: "field added", value: {} });
    }
  }
}

function wrongType(value: JsonValue, schema: KindSchema, chance: Chance): JsonValue {
  const all: readonly JsonValue[] = ["a", 7, 1.5, true, {}, [], ["a"], { a: "b" }];
  const isOther = (each: JsonValue): boolean =>
    isIntOrString(schema)
      ? typeof each !== "string" && each !== 7
      : Array.isArray(each) !== Array.isArray(value) || typeof each !== typeof value;
  const others = all.filter(isOther);
  return chance.one([others[0] ?? true, ...others.slice(1)]);
}

/** Values of the same type at the edges of what is allowed. */
function otherValues(schema: KindSchema, value: JsonValue): readonly JsonValue[] {
  if (isIntOrString(schema)) return boundaryIntsOrTexts;
  if (isQuantity(schema)) return [...boundaryQuantities, "1x", "", 5];
  if (typeof value === "boolean") return [!value];
  if (typeof value === "number") {
    return [value - 1, value + 1, ...boundaryIntegers, 2_147_483_648, -2_147_483_649];
  }
  if (typeof value !== "string") return [];
  const enumerated = schema.node.enum ?? [];
  return [
    ...enumerated,
    ...(enumerated.length === 0 ? [value.toUpperCase(), `${value}-`] : [value.toLowerCase()]),
    ...(schema.node.format === "date-time" ? ["2030-05-06T07:08:09Z"] : []),
    ...(schema.node.format === "byte" ? ["YQ==", "%%"] : []),
    ...texts,
  ];
}
