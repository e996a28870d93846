import type { KubernetesObject } from "../../objects/index.ts";
import type { Change } from "../store/history.ts";
import type { ObjectKey } from "./controller.ts";
import { type ObjectSelector, selects } from "../api/object-selector.ts";

interface Selecting extends ObjectKey {
  readonly selector: ObjectSelector;
}

/** The objects of one resource that select others, found from what they select. */
export class SelectorIndex {
  readonly #resource: string;
  readonly #selectorOf: (object: KubernetesObject) => ObjectSelector | undefined;
  readonly #tables = new Map<string, Map<string, Selecting>>();

  constructor(
    resource: string,
    selectorOf: (object: KubernetesObject) => ObjectSelector | undefined,
  ) {
    this.#resource = resource;
    this.#selectorOf = selectorOf;
  }

  /** Takes note of a change; must see every one, before anybody asks. */
  update({ type, resource, stored, previous }: Change): void {
    if (resource !== this.#resource) return;
    const { namespace, name } = stored;
    if (previous !== undefined) {
      const selector = this.#selectorOf(previous.object);
      if (selector !== undefined) this.#tables.get(keyOf(namespace, selector))?.delete(name);
    }
    if (type === "DELETED") return;
    const selector = this.#selectorOf(stored.object);
    if (selector === undefined) return;
    const key = keyOf(namespace, selector);
    let table = this.#tables.get(key);
    if (table === undefined) {
      table = new Map();
      this.#tables.set(key, table);
    }
    table.set(name, { namespace, name, selector });
  }

  /** Who selects an object of these labels. */
  selecting(
    namespace: string,
    labels: KubernetesObject["metadata"]["labels"] = {},
  ): readonly ObjectKey[] {
    const keys = [namespace, ...Object.entries(labels).map((pair) => pairKey(namespace, pair))];
    return keys.flatMap((key) =>
      [...(this.#tables.get(key)?.values() ?? [])].filter(({ selector }) =>
        selects(selector, labels),
      ),
    );
  }

  /** Who selects an object as it is, or selected it as it was. */
  concernedBy({ stored, previous }: Change): readonly ObjectKey[] {
    const now = this.selecting(stored.namespace, stored.object.metadata.labels);
    if (previous === undefined || previous.object.metadata.labels === stored.object.metadata.labels)
      return now;
    return [...now, ...this.selecting(stored.namespace, previous.object.metadata.labels)];
  }
}

/** One label of the selector is enough to find it by; without any it concerns the whole namespace. */
function keyOf(namespace: string, { matchLabels = {} }: ObjectSelector): string {
  const pair = Object.entries(matchLabels)[0];
  return pair === undefined ? namespace : pairKey(namespace, pair);
}

function pairKey(namespace: string, [label, value]: readonly [string, string]): string {
  return `${namespace}|${label}=${value}`;
}
