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
  return walk(type, value, items, false);
}

/** The value with nothing but the fields and items of the set. */
export function extractItems(type: TypeNode, value: JsonValue, items: FieldSet): JsonValue {
  return walk(type, value, items, true);
}

function walk(type: TypeNode, value: JsonValue, items: FieldSet, extract: boolean): JsonValue {
  switch (resolveForm(type, formOf(type, value))) {
    case "scalar":
      return value;
    case "list":
      return type.list !== undefined && Array.isArray(value)
        ? walkList(type.list, value, items, extract)
        : null;
    case "map":
      return type.map !== undefined && isJsonObject(value)
        ? walkMap(type.map, value, items, extract)
        : null;
    case undefined:
    default:
      return null;
  }
}

function walkList(type: ListType, list: JsonArray, items: FieldSet, extract: boolean): JsonValue {
  if (type.isAtomic || list.length === 0) return extract ? list : null;
  const kept: JsonValue[] = [];
  for (const item of list) {
    const element = itemElementOrNone(type, item) ?? "";
    const below = items.under(element);
    const isMember = items.members.has(element);
    const hasBelow = below !== undefined && !below.isEmpty;
    if (extract ? !isMember && !hasBelow : isMember) continue;
    kept.push(hasBelow ? walk(type.element, item, below, extract) : item);
  }
  return kept.length === 0 ? null : kept;
}

function walkMap(type: MapType, map: JsonObject, items: FieldSet, extract: boolean): JsonValue {
  const keys = Object.keys(map);
  if (type.isAtomic || keys.length === 0) return extract ? map : null;
  const kept: JsonObject = {};
  let size = 0;
  for (const key of keys) {
    const element = fieldElement(key);
    const below = items.under(element);
    const hasBelow = below !== undefined && !below.isEmpty;
    const isMember = items.members.has(element);
    const child = type.fields.get(key)?.type ?? type.element;
    const value = map[key] ?? null;
    if (extract ? !isMember && !hasBelow : isMember) continue;
    const rest = hasBelow && child !== undefined ? walk(child, value, below, extract) : value;
    setField(kept, key, rest);
    size += 1;
  }
  return size === 0 ? null : kept;
}
