import type { JsonValue } from "../../json/index.ts";

export type KeyText =
  | { readonly kind: "key"; readonly text: string }
  | { readonly kind: "invalid"; readonly what: string };

/** The field name that kubectl makes of a key: `true:` is "true" and `0x10:` is "16". */
export function keyText(value: JsonValue): KeyText {
  if (typeof value === "string") return { kind: "key", text: value };
  if (typeof value === "bigint" && value > mostKey) {
    return { kind: "invalid", what: "an integer beyond 64 bits" };
  }
  if (value === null) return { kind: "invalid", what: "null" };
  if (typeof value !== "object") return { kind: "key", text: String(value) };
  return { kind: "invalid", what: Array.isArray(value) ? "a list" : "a mapping" };
}

const mostKey = 2n ** 63n - 1n;
