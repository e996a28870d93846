import type { JsonValue } from "../json.ts";

export type KeyText =
  | { readonly kind: "key"; readonly text: string }
  | { readonly kind: "invalid"; readonly what: string };

/** The field name that kubectl makes of a key: `true:` is "true" and `0x10:` is "16". */
export function keyText(value: JsonValue): KeyText {
  switch (typeof value) {
    case "string":
      return { kind: "key", text: value };
    case "boolean":
    case "number":
      return { kind: "key", text: String(value) };
    case "bigint":
      return value > mostKey
        ? { kind: "invalid", what: "an integer beyond 64 bits" }
        : { kind: "key", text: String(value) };
    default:
      if (value === null) return { kind: "invalid", what: "null" };
      return { kind: "invalid", what: Array.isArray(value) ? "a list" : "a mapping" };
  }
}

const mostKey = 2n ** 63n - 1n;
