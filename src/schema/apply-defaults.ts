import { asObject, type JsonObject, type JsonValue, setField } from "../json/index.ts";
import type { Schema } from "./schema.ts";

/**
 * A custom resource with the defaults of its schema. A null in a field that may not be null counts
 * as absent: it gets the default, or goes.
 */
export function applyDefaults(schema: Schema, object: JsonObject): JsonObject {
  return asObject(defaultValue(schema, object)) ?? object;
}

/** The same value without the nulls for which a default stands in. */
export function withoutDefaultedNulls(schema: Schema, value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : value.map((item) => withoutDefaultedNulls(items, item));
  }
  if (typeof value !== "object" || value === null) return value;
  const kept: JsonObject = {};
  const additional = additionalOf(schema);
  for (const [key, each] of Object.entries(value)) {
    const below = schema.properties?.get(key) ?? additional;
    if (below === undefined) setField(kept, key, each);
    else if (!isForbiddenNull(below, each) || below.default === undefined)
      setField(kept, key, withoutDefaultedNulls(below, each));
  }
  return kept;
}

function defaultValue(schema: Schema, value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return value;
    return value.map((item) =>
      defaultValue(items, isForbiddenNull(items, item) ? defaultOf(items, item) : item),
    );
  }
  return typeof value === "object" && value !== null ? defaultMap(schema, value) : value;
}

function defaultMap(schema: Schema, map: JsonObject): JsonObject {
  const defaulted: JsonObject = {};
  const additional = additionalOf(schema);
  for (const [key, value] of Object.entries(map)) {
    const below = schema.properties?.get(key) ?? additional;
    if (below === undefined) setField(defaulted, key, value);
    else if (!isForbiddenNull(below, value)) setField(defaulted, key, defaultValue(below, value));
  }
  for (const [key, property] of schema.properties ?? []) {
    if (property.default === undefined || property.name !== undefined) continue;
    if (!Object.hasOwn(defaulted, key)) {
      setField(defaulted, key, defaultValue(property, structuredClone(property.default)));
    }
  }
  if (additional?.default !== undefined) {
    for (const key of Object.keys(map)) {
      if (!Object.hasOwn(defaulted, key) && schema.properties?.has(key) !== true) {
        setField(defaulted, key, structuredClone(additional.default));
      }
    }
  }
  return defaulted;
}

/** The schema of the values of a map. */
function additionalOf({ additionalProperties }: Schema): Schema | undefined {
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

function isForbiddenNull(schema: Schema, value: JsonValue): boolean {
  return value === null && schema.nullable !== true;
}

function defaultOf(schema: Schema, otherwise: JsonValue): JsonValue {
  return schema.default === undefined ? otherwise : structuredClone(schema.default);
}
