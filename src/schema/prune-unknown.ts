import { isJsonObject, type JsonObject, type JsonValue, setField } from "../json/index.ts";
import type { Schema } from "./schema.ts";

export interface PrunedObject {
  readonly value: JsonObject;
  /** `spec.foo`, `spec.containers[0].imagee`, as the server lists them. */
  readonly unknownFields: readonly string[];
}

/**
 * An object without the fields that its schema does not know. Parts that need no change are shared
 * with the input.
 */
export function pruneUnknown(schema: Schema, object: JsonObject): PrunedObject {
  const unknownFields: string[] = [];
  const value = pruneValue(schema, object, "", unknownFields, false);
  const isCustom = schema.name === undefined;
  return {
    value: isJsonObject(value) ? value : object,
    unknownFields: isCustom ? unknownFields.sort() : unknownFields,
  };
}

/** One warning for each unknown field. */
export function unknownFieldWarnings(unknownFields: readonly string[]): readonly string[] {
  return unknownFields.map((field) => `unknown field ${JSON.stringify(field)}`);
}

/** The message of a write that asked for strict field validation. */
export function strictDecodingError(unknownFields: readonly string[]): string {
  return `strict decoding error: ${unknownFieldWarnings(unknownFields).join(", ")}`;
}

function pruneValue(
  schema: Schema | undefined,
  value: JsonValue,
  path: string,
  unknown: string[],
  keepsUnknown: boolean,
): JsonValue {
  if (Array.isArray(value)) return pruneList(schema, value, path, unknown, keepsUnknown);
  return isJsonObject(value) ? pruneMap(schema, value, path, unknown, keepsUnknown) : value;
}

function pruneList(
  schema: Schema | undefined,
  list: readonly JsonValue[],
  path: string,
  unknown: string[],
  keepsUnknown: boolean,
): JsonValue {
  const isOpen = keepsUnknown || schema?.preserveUnknownFields === true;
  const items = schema?.items;
  if (isOpen && items === undefined) return list as JsonValue[];
  let pruned: JsonValue[] | undefined;
  for (const [index, item] of list.entries()) {
    if (typeof item !== "object") continue;
    const kept = pruneValue(items, item, `${path}[${index}]`, unknown, isOpen);
    if (kept === item) continue;
    pruned ??= [...list];
    pruned[index] = kept;
  }
  return pruned ?? (list as JsonValue[]);
}

function pruneMap(
  schema: Schema | undefined,
  map: JsonObject,
  path: string,
  unknown: string[],
  keepsUnknown: boolean,
): JsonObject {
  const isOpen = keepsUnknown || schema?.preserveUnknownFields === true || schema?.format === "raw";
  const additional = schema?.additionalProperties;
  if (isOpen && schema?.properties === undefined && additional === undefined) return map;
  let pruned: JsonObject | undefined;
  for (const key of Object.keys(map)) {
    const value = map[key] ?? null;
    const below = schema?.properties?.get(key) ?? additional;
    if (below === undefined || below === false) {
      if (isOpen || isOpaque(schema)) continue;
      unknown.push(path === "" ? key : `${path}.${key}`);
      pruned ??= { ...map };
      delete pruned[key];
    } else if (typeof value === "object" && below !== true) {
      const at = path === "" ? key : `${path}.${key}`;
      const kept = pruneValue(below, value, at, unknown, false);
      if (kept === value) continue;
      pruned ??= { ...map };
      setField(pruned, key, kept);
    }
  }
  return pruned ?? map;
}

/** A built-in type that says nothing of its fields, such as a field set, holds anything. */
function isOpaque(schema: Schema | undefined): boolean {
  return schema?.name !== undefined && schema.properties === undefined;
}
