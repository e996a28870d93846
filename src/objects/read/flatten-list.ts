import { isJsonObject, type JsonObject, type JsonValue } from "../../json/index.ts";
import type { FieldPath } from "../yaml/locate-path.ts";

/** A value that should be an object, with its path in the document. */
export interface ListedValue {
  readonly value: JsonValue;
  readonly path: FieldPath;
}

/** Replaces a `List`, or a typed one such as `ConfigMapList`, by its items, however they nest. */
export function flattenList(value: JsonValue, path: FieldPath = []): readonly ListedValue[] {
  const items = itemsOf(value);
  if (items === undefined) return [{ value, path }];
  const { kind, apiVersion } = value as JsonObject;
  // The server leaves the type of the items of a typed list out.
  const itemType =
    kind === "List" || typeof kind !== "string" || typeof apiVersion !== "string"
      ? undefined
      : { apiVersion, kind: kind.slice(0, -"List".length) };
  return items.flatMap((item, index) => {
    const typed =
      itemType !== undefined && isJsonObject(item) && item["kind"] === undefined
        ? { ...itemType, ...item }
        : item;
    return flattenList(typed, [...path, "items", index]);
  });
}

function itemsOf(value: JsonValue): readonly JsonValue[] | undefined {
  if (!isJsonObject(value)) return undefined;
  const { kind, items } = value;
  if (typeof kind !== "string" || !kind.endsWith("List")) return undefined;
  if (Array.isArray(items)) return items;
  return kind === "List" && (items === undefined || items === null) ? [] : undefined;
}
