import { type JsonObject, type JsonValue, setField, asObject } from "../json/index.ts";
import { itemElementOrNone } from "./list-item.ts";
import type { PathElement } from "./path-element.ts";
import { asArray, formOf, type MaybeValue, resolveForm } from "./typed-form.ts";
import type { ListType, MapType, TypeNode } from "./type-node.ts";

/**
 * The live object with an applied configuration laid over it. Nothing is removed; where both have a
 * leaf, the applied one wins; items of lists keep the live order unless the applied one differs.
 */
export function mergeValues(type: TypeNode, live: MaybeValue, applied: MaybeValue): MaybeValue {
  if (live === applied || applied === undefined) return live;
  switch (resolveForm(type, formOf(type, applied))) {
    case "map":
      return type.map === undefined ? undefined : mergeMaps(type.map, live, applied);
    case "list":
      return type.list === undefined ? undefined : mergeLists(type.list, live, applied);
    case "scalar":
      return applied;
    case undefined:
    default:
      return undefined;
  }
}

function mergeMaps(type: MapType, liveValue: MaybeValue, appliedValue: MaybeValue): MaybeValue {
  const live = asObject(liveValue);
  const applied = asObject(appliedValue);
  const isEmpty = isEmptyObject(live) && isEmptyObject(applied);
  if (type.isAtomic || isEmpty) return appliedValue === undefined ? liveValue : appliedValue;
  const merged: JsonObject = {};
  for (const key of Object.keys(live ?? {})) mergeEntry(type, key, live, applied, merged);
  for (const key of Object.keys(applied ?? {})) {
    if (live === undefined || !Object.hasOwn(live, key)) {
      mergeEntry(type, key, undefined, applied, merged);
    }
  }
  return Object.keys(merged).length === 0 ? undefined : merged;
}

function mergeEntry(
  type: MapType,
  key: string,
  live: JsonObject | undefined,
  applied: JsonObject | undefined,
  merged: JsonObject,
): void {
  const below = type.fields.get(key)?.type ?? type.element;
  const liveEntry = live === undefined ? undefined : live[key];
  const appliedEntry =
    applied !== undefined && Object.hasOwn(applied, key) ? applied[key] : undefined;
  const value = below === undefined ? liveEntry : mergeValues(below, liveEntry, appliedEntry);
  if (value !== undefined) setField(merged, key, value);
}

function mergeLists(type: ListType, liveValue: MaybeValue, appliedValue: MaybeValue): MaybeValue {
  const live = asArray(liveValue) ?? [];
  const applied = asArray(appliedValue) ?? [];
  if (type.isAtomic || (live.length === 0 && applied.length === 0)) {
    return appliedValue === undefined ? liveValue : appliedValue;
  }
  const merged = new ListMerge(type, live, applied).run();
  return merged.length === 0 ? undefined : merged;
}

interface KeyedItem {
  readonly element: PathElement;
  readonly item: JsonValue;
}

/**
 * Walks both lists at once. Items that both have follow the applied order; an item that only the
 * live list has stays after the shared item it followed.
 */
class ListMerge {
  readonly #type: ListType;
  readonly #live: readonly KeyedItem[];
  readonly #applied: readonly KeyedItem[];
  readonly #liveByElement = new Map<PathElement, JsonValue>();
  readonly #appliedByElement: ReadonlyMap<PathElement, JsonValue>;
  readonly #sharedOrder: PathElement[];
  readonly #done = new Set<PathElement>();
  readonly #merged: JsonValue[] = [];

  constructor(type: ListType, live: readonly JsonValue[], applied: readonly JsonValue[]) {
    this.#type = type;
    this.#live = keyedItems(type, live);
    this.#applied = keyedItems(type, applied);
    for (const { element, item } of this.#live) {
      // Duplicates are not merged with what is applied: it replaces them.
      this.#liveByElement.set(element, this.#liveByElement.has(element) ? null : item);
    }
    this.#appliedByElement = new Map(this.#applied.map(({ element, item }) => [element, item]));
    this.#sharedOrder = this.#applied
      .map(({ element }) => element)
      .filter((element) => this.#liveByElement.has(element));
  }

  run(): JsonValue[] {
    let liveIndex = 0;
    let appliedIndex = 0;
    let shared = this.#sharedOrder.shift();
    while (liveIndex < this.#live.length || appliedIndex < this.#applied.length) {
      const live = this.#live[liveIndex];
      const applied = this.#applied[appliedIndex];
      if (live !== undefined && applied !== undefined) {
        if (live.element === applied.element) {
          this.#takeApplied(applied.element);
          liveIndex += 1;
          appliedIndex += 1;
          shared = this.#sharedOrder.shift();
          continue;
        }
        if (
          this.#appliedByElement.has(live.element) &&
          shared !== undefined &&
          shared !== live.element
        ) {
          liveIndex += 1;
          continue;
        }
      }
      if (live !== undefined) {
        if (!this.#appliedByElement.has(live.element)) {
          this.#push(mergeValues(this.#type.element, live.item, undefined));
          liveIndex += 1;
          continue;
        }
        if (this.#done.has(live.element)) liveIndex += 1;
      }
      if (applied !== undefined) {
        this.#takeApplied(applied.element);
        appliedIndex += 1;
        if (shared === applied.element) shared = this.#sharedOrder.shift();
      }
    }
    return this.#merged;
  }

  #takeApplied(element: PathElement): void {
    this.#done.add(element);
    const live = this.#liveByElement.get(element);
    const applied = this.#appliedByElement.get(element);
    this.#push(mergeValues(this.#type.element, live, applied));
  }

  #push(value: MaybeValue): void {
    if (value !== undefined) this.#merged.push(value);
  }
}

function keyedItems(type: ListType, list: readonly JsonValue[]): readonly KeyedItem[] {
  const items: KeyedItem[] = [];
  for (const item of list) {
    const element = itemElementOrNone(type, item);
    if (element !== undefined) items.push({ element, item });
  }
  return items;
}

function isEmptyObject(value: JsonObject | undefined): boolean {
  return value === undefined || Object.keys(value).length === 0;
}
