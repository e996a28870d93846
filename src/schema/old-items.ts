import { isJsonObject, type JsonValue, stringifyJson } from "../json/index.ts";
import type { Schema } from "./schema.ts";

/**
 * Which item of an old list an item of the new one is. Only items of keyed lists can be told; those
 * of sets and of plain lists have no counterpart.
 */
export function matchOldItems(
  schema: Schema,
  old: JsonValue | undefined,
): (item: JsonValue) => JsonValue | undefined {
  if (schema.listType !== "map" || !Array.isArray(old)) return () => undefined;
  const keys = schema.listMapKeys ?? [];
  const keyOf = (item: JsonValue): string =>
    isJsonObject(item) ? stringifyJson(keys.map((key) => item[key] ?? null)) : "";
  const byKey = new Map(old.map((item) => [keyOf(item), item]));
  return (item) => byKey.get(keyOf(item));
}

/** Whether two JSON values are the same, whatever the order of keys. */
export function equalJson(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => equalJson(item, right[index] ?? null))
    );
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every(
      (key) => Object.hasOwn(right, key) && equalJson(left[key] ?? null, right[key] ?? null),
    )
  );
}
