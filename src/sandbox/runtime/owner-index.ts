import { controllerOf, type KubernetesObject } from "../../objects/index.ts";
import type { Change } from "../store/history.ts";

/** The objects of some resources by the controller that owns them, so that nobody has to scan. */
export class OwnerIndex {
  readonly #resources: ReadonlySet<string>;
  readonly #byOwner = new Map<string, Map<string, KubernetesObject>>();
  readonly #orphans = new Map<string, Map<string, KubernetesObject>>();

  constructor(resources: readonly string[]) {
    this.#resources = new Set(resources);
  }

  /** Takes note of a change; must see every one, before anybody asks. */
  update({ type, resource, stored, previous }: Change): void {
    if (!this.#resources.has(resource)) return;
    const { object, name } = stored;
    if (previous !== undefined) remove(this.#place(resource, previous.object), name);
    if (type !== "DELETED") add(this.#place(resource, object), name, object);
  }

  /** What an owner controls, by name. */
  ownedBy(resource: string, ownerUid: string | undefined): readonly KubernetesObject[] {
    return sorted(this.#byOwner.get(`${resource}|${ownerUid ?? ""}`));
  }

  /** What nobody controls in a namespace, by name. */
  orphans(resource: string, namespace: string): readonly KubernetesObject[] {
    return sorted(this.#orphans.get(`${resource}|${namespace}`));
  }

  #place(resource: string, object: KubernetesObject): Place {
    const owner = controllerOf(object);
    return owner === undefined
      ? { table: this.#orphans, key: `${resource}|${object.metadata.namespace ?? ""}` }
      : { table: this.#byOwner, key: `${resource}|${owner.uid}` };
  }
}

interface Place {
  readonly table: Map<string, Map<string, KubernetesObject>>;
  readonly key: string;
}

function add({ table, key }: Place, name: string, object: KubernetesObject): void {
  let objects = table.get(key);
  if (objects === undefined) {
    objects = new Map();
    table.set(key, objects);
  }
  objects.set(name, object);
}

function remove({ table, key }: Place, name: string): void {
  const objects = table.get(key);
  objects?.delete(name);
  if (objects?.size === 0) table.delete(key);
}

function sorted(objects: Map<string, KubernetesObject> | undefined): readonly KubernetesObject[] {
  if (objects === undefined) return [];
  return [...objects.values()].sort((left, right) =>
    (left.metadata.name ?? "") < (right.metadata.name ?? "") ? -1 : 1,
  );
}
