import type { Graph } from "../graph/index.ts";
import { identityKey, identityOf, type KubernetesObject } from "../objects/index.ts";
import { type Removal, removalOf } from "./removal.ts";

/** What becomes of an object that its owner no longer desires, now. */
export interface Departure {
  readonly object: KubernetesObject;
  /** `wait`: it goes when its dependents have gone, or is on its way out. */
  readonly kind: "delete" | "release" | "stay" | "wait";
  readonly reason: string;
  readonly message: string;
}

/**
 * Deletes what nothing of the rest depends on; the others follow when those are gone. What asks to be kept is
 * released, and what is protected stays together with what it depends on.
 */
export function leaveInOrder(
  objects: readonly KubernetesObject[],
  graph: Graph,
): readonly Departure[] {
  const leaving = new Map(objects.map((object) => [keyOf(object), object]));
  const stays = protectedWithNeeds(leaving, graph);
  return objects.map((object): Departure => {
    const key = keyOf(object);
    if (object.metadata.deletionTimestamp !== undefined) return waiting(object, []);
    const stay = stays.get(key);
    if (stay !== undefined) return stay;
    const { action, reason = "", message = "" } = ownRemoval(object);
    if (action === "keep") return { object, kind: "release", reason, message };
    const dependents = graph.dependentsOf(key).flatMap(({ from }) => leaving.get(from) ?? []);
    return dependents.length === 0
      ? { object, kind: "delete", reason, message }
      : waiting(object, dependents);
  });
}

/** Whether an object of an owner asks to stay when the owner no longer desires it. */
export function asksToStay(object: KubernetesObject): boolean {
  return ownRemoval(object).action !== "delete";
}

/** What stays would be of no use without what it depends on: that stays, too. */
function protectedWithNeeds(
  leaving: ReadonlyMap<string, KubernetesObject>,
  graph: Graph,
): ReadonlyMap<string, Departure> {
  const stays = new Map<string, Departure>();
  for (const [key, object] of leaving) {
    const { action, reason = "", message = "" } = ownRemoval(object);
    if (action === "skip") stays.set(key, { object, kind: "stay", reason, message });
  }
  const queue = [...stays.keys()];
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    const user = leaving.get(key);
    for (const { to } of graph.dependenciesOf(key)) {
      const object = leaving.get(to);
      if (object === undefined || user === undefined || stays.has(to)) continue;
      const message = `${nameOf(user)}, which stays, depends on it`;
      stays.set(to, { object, kind: "stay", reason: "InUse", message });
      queue.push(to);
    }
  }
  return stays;
}

function waiting(object: KubernetesObject, dependents: readonly KubernetesObject[]): Departure {
  const message =
    dependents.length === 0
      ? "it is being deleted"
      : `waits until these are gone: ${dependents.map(nameOf).join(", ")}`;
  return { object, kind: "wait", reason: "Pruning", message };
}

function ownRemoval(live: KubernetesObject): Removal {
  return removalOf({ identity: identityOf(live), live, ownership: { kind: "ours" } });
}

function nameOf({ kind, metadata }: KubernetesObject): string {
  return `${kind} ${metadata.name ?? ""}`;
}

function keyOf(object: KubernetesObject): string {
  return identityKey(identityOf(object));
}
