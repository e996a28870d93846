import type { JsonObject, JsonValue } from "../../json/index.ts";

export type CopiedJson =
  | { readonly kind: "copy"; readonly value: JsonValue; readonly count: number }
  | { readonly kind: "too many" };

/** A deep copy, given up when it would take more than `most` values. */
export function copyJson(value: JsonValue, most: number): CopiedJson {
  let count = 0;
  const copy = (source: JsonValue): JsonValue => {
    count++;
    if (count > most) throw tooMany;
    if (Array.isArray(source)) return source.map((item) => copy(item));
    if (source === null || typeof source !== "object") return source;
    const target: JsonObject = {};
    for (const [key, field] of Object.entries(source)) {
      Object.defineProperty(target, key, {
        value: copy(field),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return target;
  };
  try {
    return { kind: "copy", value: copy(value), count };
  } catch (error) {
    if (error !== tooMany) throw error;
    return { kind: "too many" };
  }
}

const tooMany = new Error("more values than allowed");
