import { identityOf, type KubernetesObject } from "../objects/index.ts";
import { removalOf } from "../plan/index.ts";
import type { BundleObject, BundleWorld } from "./bundle-world.ts";
import { keyOf } from "./bundle-status.ts";
import type { BundleAction } from "./realize.ts";

/** Why an object that left its bundle is still there and not deleted. */
export interface Stay {
  readonly reason: string;
  readonly message: string;
}

/** What is to be done now with objects that leave, and which of them stay. */
export interface TakenDown {
  readonly actions: readonly BundleAction[];
  /** By the key of the object. */
  readonly stays: ReadonlyMap<string, Stay>;
}

interface Leaving {
  readonly object: BundleObject;
  readonly live: KubernetesObject;
}

/**
 * Deletes what nothing of the rest depends on; the others follow when those are gone. What must stay is
 * left as it is; with the bundle itself it is released instead, what it depends on before it.
 */
export function takeDown(
  objects: readonly BundleObject[],
  world: BundleWorld,
  withBundle: boolean,
): TakenDown {
  const present = objects.flatMap((object): readonly Leaving[] => {
    const live = world.live(object);
    return live === undefined ? [] : [{ object, live }];
  });
  const removals = new Map(
    present.map(({ object, live }) => [
      keyOf(object),
      removalOf({ identity: identityOf(live), live, ownership: { kind: "ours" } }),
    ]),
  );
  const stays = staying(
    present,
    new Map(
      [...removals].flatMap(([key, { action, reason = "", message = "" }]) =>
        action === "skip" ? [[key, { reason, message }]] : [],
      ),
    ),
  );
  const neededBy = ownersOf(present);
  const stayingUids = new Set(
    present.flatMap(({ object, live }) => (stays.has(keyOf(object)) ? [uidOf(live)] : [])),
  );
  const actions = present.flatMap(({ object, live }): readonly BundleAction[] => {
    const key = keyOf(object);
    if (live.metadata.deletionTimestamp !== undefined) return [];
    if (world.trouble(troubleOfObject(object)) !== undefined) return [];
    const stay = stays.get(key);
    if (stay !== undefined) {
      const isLast = [...ownersOf([{ object, live }])].every((uid) => !stayingUids.has(uid));
      return withBundle && isLast ? [{ kind: "detach", object, live, ...stay }] : [];
    }
    const { action, reason = "", message = "" } = removals.get(key) ?? { action: "delete" };
    if (action === "keep") return [{ kind: "detach", object, live, reason, message }];
    return neededBy.has(uidOf(live)) ? [] : [{ kind: "delete", object, live }];
  });
  return { actions, stays };
}

/** The name of what may go wrong with an object that leaves. */
export function troubleOfObject({ kind, name }: BundleObject): string {
  return `${kind} ${name}`;
}

/** What stays would be of no use without what it depends on: that stays, too. */
function staying(
  present: readonly Leaving[],
  protectedObjects: ReadonlyMap<string, Stay>,
): ReadonlyMap<string, Stay> {
  const stays = new Map(protectedObjects);
  const byUid = new Map(present.map(({ object, live }) => [uidOf(live), object]));
  const queue = present.filter(({ object }) => stays.has(keyOf(object)));
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { kind, name } = next.object;
    for (const uid of ownersOf([next])) {
      const object = byUid.get(uid);
      if (object === undefined || stays.has(keyOf(object))) continue;
      stays.set(keyOf(object), {
        reason: "InUse",
        message: `${kind} ${name}, which stays, depends on it`,
      });
      queue.push(...present.filter((each) => each.object === object));
    }
  }
  return stays;
}

function ownersOf(objects: readonly Leaving[]): ReadonlySet<string> {
  return new Set(
    objects.flatMap(({ live }) => (live.metadata.ownerReferences ?? []).map(({ uid }) => uid)),
  );
}

function uidOf({ metadata }: KubernetesObject): string {
  return metadata.uid ?? "";
}
