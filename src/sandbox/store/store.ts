import type { KubernetesObject } from "../../objects/index.ts";
import { type Change, History } from "./history.ts";
import type { PersistedObject, Persistence } from "./persistence.ts";
import { StoredObject } from "./stored-object.ts";

export type ChangeListener = (change: Change) => void;

/**
 * All objects, by resource (`apps/deployments`), namespace and name, with one revision counter.
 *
 * Everything happens synchronously: whoever reads and then writes without awaiting in between has a
 * transaction. A write survives the end of the process before it is seen by anyone.
 */
export class Store {
  readonly #tables = new Map<string, Table>();
  readonly #listeners = new Set<ChangeListener>();
  readonly #persistence: Persistence | undefined;
  readonly #history: History;
  #revision: number;
  #pending: Change[] = [];
  #delivering = false;

  constructor(persistence?: Persistence) {
    this.#persistence = persistence;
    this.#revision = persistence?.revision() ?? 1;
    this.#history = new History(this.#revision);
    for (const { resource, namespace, name, json, revision } of persistence?.load() ?? []) {
      this.#table(resource).set(StoredObject.fromJson({ namespace, name }, json, revision));
    }
  }

  /** The revision of the latest write. */
  get revision(): number {
    return this.#revision;
  }

  get history(): History {
    return this.#history;
  }

  get(resource: string, namespace: string, name: string): StoredObject | undefined {
    return this.#tables.get(resource)?.get(namespace, name);
  }

  /** All objects of a resource, or of one namespace, ordered by namespace and name. */
  list(resource: string, namespace?: string): readonly StoredObject[] {
    return this.#tables.get(resource)?.list(namespace) ?? [];
  }

  count(resource: string): number {
    return this.#tables.get(resource)?.size ?? 0;
  }

  /** The resources that have objects. */
  resources(): readonly string[] {
    return [...this.#tables].filter(([, table]) => table.size > 0).map(([resource]) => resource);
  }

  /** Every object, as it would be on disk. */
  *all(): Generator<PersistedObject> {
    for (const [resource, table] of this.#tables) {
      for (const { namespace, name, revision, json } of table.list(undefined)) {
        yield { resource, namespace, name, revision, json };
      }
    }
  }

  /** Creates or replaces an object; its resourceVersion becomes the revision of this write. */
  put(resource: string, object: KubernetesObject): StoredObject {
    const revision = this.#revision + 1;
    const metadata = { ...object.metadata, resourceVersion: String(revision) };
    const stored = StoredObject.fromObject({ ...object, metadata }, revision);
    this.#persistence?.put(resource, stored);
    this.#revision = revision;
    const table = this.#table(resource);
    const previous = table.get(stored.namespace, stored.name);
    table.set(stored);
    const type = previous === undefined ? "ADDED" : "MODIFIED";
    this.#announce({ type, revision, resource, stored, previous });
    return stored;
  }

  /** Removes an object; watchers get its last state with the revision of the removal. */
  delete(resource: string, namespace: string, name: string): StoredObject | undefined {
    const previous = this.get(resource, namespace, name);
    if (previous === undefined) return undefined;
    const revision = this.#revision + 1;
    const metadata = { ...previous.object.metadata, resourceVersion: String(revision) };
    const stored = StoredObject.fromObject({ ...previous.object, metadata }, revision);
    this.#persistence?.delete(resource, stored);
    this.#revision = revision;
    this.#tables.get(resource)?.delete(namespace, name);
    this.#announce({ type: "DELETED", revision, resource, stored, previous });
    return stored;
  }

  /** Takes note of every change from now on. Returns how to stop. */
  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#listeners.clear();
    this.#persistence?.close();
  }

  #table(resource: string): Table {
    let table = this.#tables.get(resource);
    if (table === undefined) {
      table = new Table();
      this.#tables.set(resource, table);
    }
    return table;
  }

  /** A listener may write; what it writes is delivered after the change it saw, in order. */
  #announce(change: Change): void {
    this.#history.add(change);
    this.#pending.push(change);
    if (this.#delivering) return;
    this.#delivering = true;
    try {
      for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) {
        for (const listener of this.#listeners) listener(next);
      }
    } finally {
      this.#delivering = false;
    }
  }
}

/** The objects of one resource, with their order computed when a list asks for it. */
class Table {
  readonly #namespaces = new Map<string, Map<string, StoredObject>>();
  readonly #sorted = new Map<string, readonly StoredObject[]>();
  #all: readonly StoredObject[] | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(namespace: string, name: string): StoredObject | undefined {
    return this.#namespaces.get(namespace)?.get(name);
  }

  set(stored: StoredObject): void {
    let objects = this.#namespaces.get(stored.namespace);
    if (objects === undefined) {
      objects = new Map();
      this.#namespaces.set(stored.namespace, objects);
    }
    if (!objects.has(stored.name)) this.#size++;
    objects.set(stored.name, stored);
    this.#forget(stored.namespace);
  }

  delete(namespace: string, name: string): void {
    const objects = this.#namespaces.get(namespace);
    if (objects?.delete(name) !== true) return;
    this.#size--;
    if (objects.size === 0) this.#namespaces.delete(namespace);
    this.#forget(namespace);
  }

  list(namespace: string | undefined): readonly StoredObject[] {
    if (namespace !== undefined) return this.#listNamespace(namespace);
    if (this.#all === undefined) {
      const namespaces = [...this.#namespaces.keys()].sort();
      this.#all = namespaces.flatMap((each) => this.#listNamespace(each));
    }
    return this.#all;
  }

  #listNamespace(namespace: string): readonly StoredObject[] {
    const known = this.#sorted.get(namespace);
    if (known !== undefined) return known;
    const objects = [...(this.#namespaces.get(namespace)?.values() ?? [])];
    objects.sort((left, right) => (left.name < right.name ? -1 : 1));
    this.#sorted.set(namespace, objects);
    return objects;
  }

  #forget(namespace: string): void {
    this.#sorted.delete(namespace);
    this.#all = undefined;
  }
}
