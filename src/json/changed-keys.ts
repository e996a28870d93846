import { equalValues } from "./equal-values.ts";
import type { JsonObject } from "./json.ts";

/** The fields in which two objects differ. */
export function changedKeys(before: JsonObject, after: JsonObject): readonly string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => !equalValues(before[key], after[key]));
}
