import type { JsonArray, JsonObject, JsonValue } from "../json/index.ts";
import { duplicate, invalid } from "./field-error.ts";
import type { FieldError } from "./field-error.ts";
import type { Schema } from "./schema.ts";

/** Reports items of sets that are equal, and items of keyed lists that have equal keys. */
export function findDuplicates(
  schema: Schema,
  value: JsonValue,
  path: string,
  errors: FieldError[],
): void {
  if (Array.isArray(value)) findInList(schema, value, path, errors);
  else if (typeof value === "object" && value !== null) findInMap(schema, value, path, errors);
}

function findInMap(schema: Schema, map: JsonObject, path: string, errors: FieldError[]): void {
  const additional = schema.additionalProperties;
  for (const [key, value] of Object.entries(map)) {
    const property = schema.properties?.get(key);
    // Metadata is the same for all kinds, and checked as such.
    if (property?.name !== undefined) continue;
    if (property !== undefined) {
      findDuplicates(property, value, path === "" ? key : `${path}.${key}`, errors);
    } else if (typeof additional === "object") {
      findDuplicates(additional, value, `${path}[${key}]`, errors);
    }
  }
}

function findInList(schema: Schema, list: JsonArray, path: string, errors: FieldError[]): void {
  if (schema.listType === "set") reportRepeated(list, path, errors);
  if (schema.listType === "map") {
    const wrong = list.findIndex((item) => Array.isArray(item) || typeof item !== "object");
    if (wrong === -1) {
      const keys = schema.listMapKeys ?? [];
      reportRepeated(
        list.map((item) => keysOf(item, keys)),
        path,
        errors,
      );
    } else {
      const detail = "must be an object for an array of list-type map";
      errors.push(invalid(`${path}[${wrong}]`, list[wrong], detail));
    }
  }
  if (schema.items === undefined) return;
  for (const [index, item] of list.entries()) {
    findDuplicates(schema.items, item, `${path}[${index}]`, errors);
  }
}

/** Each value that is there more than once is reported once, where it is there again. */
function reportRepeated(values: readonly JsonValue[], path: string, errors: FieldError[]): void {
  const times = new Map<string, number>();
  for (const [index, value] of values.entries()) {
    const key = `${typeof value}:${JSON.stringify(value)}`;
    const before = times.get(key) ?? 0;
    if (before === 1) errors.push(duplicate(`${path}[${index}]`, value));
    times.set(key, before + 1);
  }
}

function keysOf(item: JsonValue, keys: readonly string[]): JsonObject {
  const found: JsonObject = {};
  if (typeof item !== "object" || item === null || Array.isArray(item)) return found;
  for (const key of [...keys].sort()) {
    const value = item[key];
    if (value !== undefined) found[key] = value;
  }
  return found;
}
