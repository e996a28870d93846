import { isJsonObject, type JsonObject, type JsonValue, asObject } from "../json/index.ts";
import { FieldSet } from "./field-set.ts";
import { itemElementOrNone } from "./list-item.ts";
import { fieldElement, type PathElement } from "./path-element.ts";
import { asArray, formOf, resolveForm } from "./typed-form.ts";
import type { ListType, MapType, TypeNode } from "./type-node.ts";

/** Every leaf and every list item that a value mentions: what its author owns by applying it. */
export function toFieldSet(type: TypeNode, value: JsonValue): FieldSet {
  const set = new FieldSet();
  addBelow(set, type, value);
  return set;
}

/**
 * Adds what lies below a value to `set`. The result says whether the value itself is a leaf, which
 * its parent records.
 */
function addBelow(set: FieldSet, type: TypeNode, value: JsonValue): boolean {
  switch (resolveForm(type, formOf(type, value))) {
    case "map":
      return type.map === undefined ? false : addMap(set, type.map, asObject(value));
    case "list":
      return type.list === undefined ? false : addList(set, type.list, asArray(value));
    case "scalar":
      return true;
    case undefined:
    default:
      return false;
  }
}

function addMap(set: FieldSet, type: MapType, value: JsonObject | undefined): boolean {
  if (type.isAtomic) return true;
  if (value === undefined) return false;
  for (const key of Object.keys(value)) {
    const entry = value[key] ?? null;
    const field = type.fields.get(key);
    const isOwned =
      field === undefined ||
      entry === null ||
      (isJsonObject(entry) && Object.keys(entry).length === 0);
    addChild(set, fieldElement(key), field?.type ?? type.element, entry, isOwned);
  }
  return false;
}

function addList(set: FieldSet, type: ListType, value: readonly JsonValue[] | undefined): boolean {
  if (type.isAtomic) return true;
  if (value === undefined) return false;
  const elements = value.map((item) => itemElementOrNone(type, item));
  const seen = new Set<PathElement>();
  const duplicates = new Set<PathElement>();
  for (const element of elements) {
    if (element === undefined) continue;
    if (seen.has(element)) duplicates.add(element);
    seen.add(element);
  }
  for (const element of duplicates) set.members.add(element);
  for (const [index, element] of elements.entries()) {
    if (element === undefined || duplicates.has(element)) continue;
    addChild(set, element, type.element, value[index] ?? null, true);
  }
  return false;
}

function addChild(
  set: FieldSet,
  element: PathElement,
  type: TypeNode | undefined,
  value: JsonValue,
  isOwned: boolean,
): void {
  const child = new FieldSet();
  const isLeaf = type === undefined ? false : addBelow(child, type, value);
  if (isLeaf || isOwned) set.members.add(element);
  if (child.members.size > 0 || child.children.size > 0) set.children.set(element, child);
}
