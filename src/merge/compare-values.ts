import {
  equalValues,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  asObject,
} from "../json/index.ts";
import { FieldSet, insertPath } from "./field-set.ts";
import { itemElementOrNone } from "./list-item.ts";
import { fieldElement, type PathElement } from "./path-element.ts";
import { asArray, formOf, type MaybeValue, resolveForm, type TypedForm } from "./typed-form.ts";
import type { ListType, MapType, TypeNode } from "./type-node.ts";

/** How one object differs from another, as sets of paths. */
export interface FieldComparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

export function compareValues(type: TypeNode, left: JsonValue, right: JsonValue): FieldComparison {
  const comparison: FieldComparison = {
    added: new FieldSet(),
    modified: new FieldSet(),
    removed: new FieldSet(),
  };
  new Comparer(comparison).compare(type, left, right);
  return comparison;
}

/** A comparison without these fields and all that lies below them. */
export function withoutFields(
  comparison: FieldComparison,
  fields: FieldSet | undefined,
): FieldComparison {
  if (fields === undefined || fields.isEmpty) return comparison;
  return {
    added: comparison.added.recursiveDifference(fields),
    modified: comparison.modified.recursiveDifference(fields),
    removed: comparison.removed.recursiveDifference(fields),
  };
}

class Comparer {
  readonly #result: FieldComparison;
  readonly #path: PathElement[] = [];

  constructor(result: FieldComparison) {
    this.#result = result;
  }

  compare(type: TypeNode, left: MaybeValue, right: MaybeValue): void {
    // Parsed from one text, or taken over by a merge: the same value has no differences below.
    if (left === right && left !== undefined) return;
    const leftForm = formOf(type, left);
    const rightForm = formOf(type, right);
    let isLeaf = false;
    if (right === undefined) isLeaf = this.#compareAs(leftForm, type, left, right);
    else if (left === undefined || leftForm === rightForm) {
      isLeaf = this.#compareAs(rightForm, type, left, right);
    } else {
      this.#compareAs(leftForm, type, left, right);
      isLeaf = this.#compareAs(rightForm, type, left, right);
    }
    if (isLeaf) return;
    if (left === undefined) insertPath(this.#result.added, this.#path);
    else if (right === undefined) insertPath(this.#result.removed, this.#path);
  }

  #compareAs(
    form: TypedForm | "any",
    type: TypeNode,
    left: MaybeValue,
    right: MaybeValue,
  ): boolean {
    switch (resolveForm(type, form)) {
      case "map":
        return type.map === undefined ? false : this.#compareMaps(type.map, left, right);
      case "list":
        return type.list === undefined ? false : this.#compareLists(type.list, left, right);
      case "scalar":
        return this.#compareLeaf(left, right);
      case undefined:
      default:
        return false;
    }
  }

  #compareLeaf(left: MaybeValue, right: MaybeValue): true {
    if (left === undefined) insertPath(this.#result.added, this.#path);
    else if (right === undefined) insertPath(this.#result.removed, this.#path);
    else if (!equalValues(left, right)) insertPath(this.#result.modified, this.#path);
    return true;
  }

  #compareMaps(type: MapType, leftValue: MaybeValue, rightValue: MaybeValue): boolean {
    const left = asObject(leftValue);
    const right = asObject(rightValue);
    // Two empties are compared as leaves, which tells {} from null.
    if (type.isAtomic || (isEmptyObject(left) && isEmptyObject(right))) {
      return this.#compareLeaf(leftValue, rightValue);
    }
    for (const key of Object.keys(left ?? {})) this.#compareEntry(type, key, left, right);
    for (const key of Object.keys(right ?? {})) {
      if (left === undefined || !Object.hasOwn(left, key)) {
        this.#compareEntry(type, key, undefined, right);
      }
    }
    return false;
  }

  #compareEntry(
    type: MapType,
    key: string,
    left: JsonObject | undefined,
    right: JsonObject | undefined,
  ): void {
    const below = type.fields.get(key)?.type ?? type.element;
    if (below === undefined) return;
    const leftEntry = left !== undefined && Object.hasOwn(left, key) ? left[key] : undefined;
    const rightEntry = right !== undefined && Object.hasOwn(right, key) ? right[key] : undefined;
    if (leftEntry === rightEntry && leftEntry !== undefined) return;
    this.#path.push(fieldElement(key));
    this.compare(below, leftEntry, rightEntry);
    this.#path.pop();
  }

  #compareLists(type: ListType, leftValue: MaybeValue, rightValue: MaybeValue): boolean {
    const left = asArray(leftValue) ?? [];
    const right = asArray(rightValue) ?? [];
    if (type.isAtomic || (left.length === 0 && right.length === 0)) {
      return this.#compareLeaf(leftValue, rightValue);
    }
    const leftItems = itemsByElement(type, left);
    const rightItems = itemsByElement(type, right);
    for (const [element, items] of leftItems) {
      this.#compareItems(type, element, items, rightItems.get(element) ?? []);
    }
    for (const [element, items] of rightItems) {
      if (!leftItems.has(element)) this.#compareItems(type, element, [], items);
    }
    return false;
  }

  /** Items with equal keys are compared as one leaf; there should be one item, but may be more. */
  #compareItems(
    type: ListType,
    element: PathElement,
    left: readonly JsonValue[],
    right: readonly JsonValue[],
  ): void {
    this.#path.push(element);
    if (left.length <= 1 && right.length <= 1) this.compare(type.element, left[0], right[0]);
    else if (left.length >= 2 && right.length >= 2) {
      if (!equalValues([...left], [...right])) insertPath(this.#result.modified, this.#path);
    } else if (left.length >= 2) {
      if (right.length > 0) this.compare(type.element, undefined, right[0]);
      insertPath(this.#result.removed, this.#path);
    } else {
      if (left.length > 0) this.compare(type.element, left[0], undefined);
      insertPath(this.#result.added, this.#path);
    }
    this.#path.pop();
  }
}

function itemsByElement(type: ListType, list: JsonArray): Map<PathElement, JsonValue[]> {
  const items = new Map<PathElement, JsonValue[]>();
  for (const item of list) {
    const element = itemElementOrNone(type, item);
    if (element === undefined) continue;
    const same = items.get(element);
    if (same === undefined) items.set(element, [item]);
    else same.push(item);
  }
  return items;
}

function isEmptyObject(value: JsonObject | undefined): boolean {
  return value === undefined || Object.keys(value).length === 0;
}
