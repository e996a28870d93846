import { isJsonObject } from "../../objects/json.ts";
import type { JsonObject, JsonValue } from "../../objects/index.ts";

/** Applies an RFC 7386 patch: null removes, objects merge, everything else replaces. */
export function applyMergePatch(value: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const result: JsonObject = isJsonObject(value) ? { ...value } : {};
  for (const [key, change] of Object.entries(patch)) {
    if (change === null) delete result[key];
    else
      result[key] = applyMergePatch(Object.hasOwn(result, key) ? result[key] : undefined, change);
  }
  return result;
}
