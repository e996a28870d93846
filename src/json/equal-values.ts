import { isJsonObject } from "./json.ts";
import type { JsonValue } from "./json.ts";

/** Equality of JSON values, whatever the order of keys. */
export function equalValues(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((each, index) => equalValues(each, right[index]))
    );
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && equalValues(left[key], right[key]));
}
