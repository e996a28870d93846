import { createHash } from "node:crypto";
import { isJsonObject, type JsonValue, stringifyJson } from "../../json/index.ts";

/** A fingerprint of a value that does not depend on the order of its fields. */
export function digestOf(value: unknown): string {
  return sha256(stringifyJson(sorted(value as JsonValue)));
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key] ?? null)]),
  );
}
