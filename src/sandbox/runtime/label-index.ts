import type { KubernetesObject } from "../../objects/index.ts";
import type { Change } from "../store/history.ts";
import { type ObjectSelector, selects } from "../api/object-selector.ts";

/** The objects of one resource by namespace and label, for selectors. */
export class LabelIndex {
  readonly #resource: string;
  readonly #tables = new Map<string, Map<string, KubernetesObject>>();

  constructor(resource: string) {
    this.#resource = resource;
  }

  /** Takes note of a change; must see every one, before anybody asks. */
  update({ type, resource, stored, previous }: Change): void {
    if (resource !== this.#resource) return;
    if (previous !== undefined) {
      for (const key of keysOf(previous.object)) this.#remove(key, stored.name);
    }
    if (type === "DELETED") return;
    for (const key of keysOf(stored.object)) this.#add(key, stored.name, stored.object);
  }

  /** What a selector selects in a namespace, by name. */
  select(namespace: string, selector: ObjectSelector | undefined): readonly KubernetesObject[] {
    if (selector === undefined) return [];
    const found = [...(this.#smallest(namespace, selector)?.values() ?? [])];
    return found
      .filter(({ metadata }) => selects(selector, metadata.labels))
      .sort((left, right) => ((left.metadata.name ?? "") < (right.metadata.name ?? "") ? -1 : 1));
  }

  #smallest(
    namespace: string,
    { matchLabels = {} }: ObjectSelector,
  ): Map<string, KubernetesObject> | undefined {
    let smallest = this.#tables.get(namespace);
    for (const [label, value] of Object.entries(matchLabels)) {
      const table = this.#tables.get(pairKey(namespace, label, value));
      if (table === undefined) return undefined;
      if (smallest === undefined || table.size < smallest.size) smallest = table;
    }
    return smallest;
  }

  #add(key: string, name: string, object: KubernetesObject): void {
    let table = this.#tables.get(key);
    if (table === undefined) {
      table = new Map();
      this.#tables.set(key, table);
    }
    table.set(name, object);
  }

  #remove(key: string, name: string): void {
    const table = this.#tables.get(key);
    table?.delete(name);
    if (table?.size === 0) this.#tables.delete(key);
  }
}

function keysOf({ metadata }: KubernetesObject): readonly string[] {
  const namespace = metadata.namespace ?? "";
  const pairs = Object.entries(metadata.labels ?? {});
  return [namespace, ...pairs.map(([label, value]) => pairKey(namespace, label, value))];
}

function pairKey(namespace: string, label: string, value: string): string {
  return `${namespace}|${label}=${value}`;
}
