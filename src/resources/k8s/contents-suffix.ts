import { type JsonObject, type JsonValue, isJsonObject, stringifyJson } from "../../json/index.ts";
import { shortHash } from "./object-name.ts";

/** What makes another object of a ConfigMap or Secret whose name follows its contents. */
const contentFields = ["data", "binaryData", "stringData", "type", "immutable"];

/** The suffix of the name for `naming: "contentsHash"`: the same for the same contents. */
export function contentsSuffix(object: JsonObject): string {
  return shortHash(stringifyJson(contentsIn(object).map(sorted)));
}

/** All that the suffix follows from. */
export function contentsIn(object: JsonObject): readonly JsonValue[] {
  return contentFields.map((field) => object[field] ?? null);
}

/** The order of keys is no content. */
function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key] ?? null)]));
}
