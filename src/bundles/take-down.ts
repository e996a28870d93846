import type { BundleAction } from "./realize.ts";
import type { BundleObject, BundleWorld } from "./bundle-world.ts";

/** Deletes what nothing of the rest depends on; the others follow when those are gone. */
export function takeDown(
  objects: readonly BundleObject[],
  world: BundleWorld,
): readonly BundleAction[] {
  const present = objects.flatMap((object) => {
    const live = world.live(object);
    return live === undefined ? [] : [{ object, live }];
  });
  const neededBy = new Set(
    present.flatMap(({ live }) => (live.metadata.ownerReferences ?? []).map(({ uid }) => uid)),
  );
  return present.flatMap(({ object, live }) => {
    const { uid = "", deletionTimestamp } = live.metadata;
    if (deletionTimestamp !== undefined || neededBy.has(uid)) return [];
    if (world.trouble(`${object.kind} ${object.name}`) !== undefined) return [];
    return [{ kind: "delete" as const, object, uid }];
  });
}
