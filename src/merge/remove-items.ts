import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  setField,
  isJsonObject,
} from "../json/index.ts";
import type { FieldSet } from "./field-set.ts";
import { itemElementOrNone } from "./list-item.ts";
import { fieldElement } from "./path-element.ts";
import { formOf, resolveForm } from "./typed-form.ts";
import type { ListType, MapType, TypeNode } from "./type-node.ts";

/** The value without the fields and items of the set. What becomes empty becomes null. */
export function removeItems(type: TypeNode, value: JsonValue, items: FieldSet): JsonValue {
  switch (resolveForm(type, formOf(type, value))) {
    case "scalar":
      return value;
    case "list":
      return type.list !== undefined && Array.isArray(value)
        ? removeFromList(type.list, value, items)
        : null;
    case "map":
      return type.map !== undefined && isJsonObject(value)
        ? removeFromMap(type.map, value, items)
        : null;
    case undefined:
    default:
      return null;
  }
}

function removeFromList(type: ListType, list: JsonArray, items: FieldSet): JsonValue {
  if (type.isAtomic || list.length === 0) return null;
  const kept: JsonValue[] = [];
  for (const item of list) {
    const element = itemElementOrNone(type, item) ?? "";
    const below = items.under(element);
    const hasBelow = below !== undefined && !below.isEmpty;
    if (items.members.has(element)) continue;
    kept.push(hasBelow ? removeItems(type.element, item, below) : item);
  }
  return kept.length === 0 ? null : kept;
}

function removeFromMap(type: MapType, map: JsonObject, items: FieldSet): JsonValue {
  const keys = Object.keys(map);
  if (type.isAtomic || keys.length === 0) return null;
  const kept: JsonObject = {};
  let size = 0;
  for (const key of keys) {
    const element = fieldElement(key);
    const below = items.under(element);
    const hasBelow = below !== undefined && !below.isEmpty;
    if (items.members.has(element)) continue;
    const child = type.fields.get(key)?.type ?? type.element;
    const value = map[key] ?? null;
    const rest = hasBelow && child !== undefined ? removeItems(child, value, below) : value;
    setField(kept, key, rest);
    size += 1;
  }
  return size === 0 ? null : kept;
}
