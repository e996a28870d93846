import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownField,
  setField,
} from "../../json/index.ts";

/** Applies an RFC 7386 patch: null removes, objects merge, everything else replaces. */
export function applyMergePatch(value: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const result: JsonObject = isJsonObject(value) ? { ...value } : {};
  for (const [key, change] of Object.entries(patch)) {
    if (change === null) delete result[key];
    else setField(result, key, applyMergePatch(ownField(result, key), change));
  }
  return result;
}
