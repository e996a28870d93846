import type { KubernetesObject } from "../objects/index.ts";

/** Objects by the uid of what owns them, so that a change of a pod finds its Deployment at once. */
export class ChildIndex {
  readonly #children = new Map<string, Map<string, KubernetesObject>>();
  readonly #owners = new Map<string, readonly string[]>();

  put(object: KubernetesObject): void {
    const { uid = "", ownerReferences = [] } = object.metadata;
    const owners = ownerReferences.map((reference) => reference.uid);
    for (const owner of this.#owners.get(uid) ?? [])
      if (!owners.includes(owner)) this.#children.get(owner)?.delete(uid);
    this.#owners.set(uid, owners);
    for (const owner of owners) {
      const known = this.#children.get(owner);
      if (known === undefined) this.#children.set(owner, new Map([[uid, object]]));
      else known.set(uid, object);
    }
  }

  remove({ metadata: { uid = "" } }: KubernetesObject): void {
    for (const owner of this.#owners.get(uid) ?? []) this.#children.get(owner)?.delete(uid);
    this.#owners.delete(uid);
  }

  childrenOf({ metadata: { uid = "" } }: KubernetesObject): readonly KubernetesObject[] {
    return [...(this.#children.get(uid)?.values() ?? [])];
  }

  /** The uids of what owns an object, of what owns that, and so on. */
  ownersOf(object: KubernetesObject): ReadonlySet<string> {
    const found = new Set<string>();
    const queue = (object.metadata.ownerReferences ?? []).map(({ uid }) => uid);
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (found.has(next)) continue;
      found.add(next);
      queue.push(...(this.#owners.get(next) ?? []));
    }
    return found;
  }
}
