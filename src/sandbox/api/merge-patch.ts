import type { JsonObject, JsonValue } from "../../objects/index.ts";

/** Applies an RFC 7386 patch: null removes, objects merge, everything else replaces. */
export function applyMergePatch(value: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return patch;
  const result: JsonObject = isObject(value) ? { ...value } : {};
  for (const [key, change] of Object.entries(patch)) {
    if (change === null) delete result[key];
    else
      result[key] = applyMergePatch(Object.hasOwn(result, key) ? result[key] : undefined, change);
  }
  return result;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
