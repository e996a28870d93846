import { fieldOwnerKey, type FieldOwners, secondsOf } from "./field-owners.ts";

/** How many updaters an object may have before the oldest are lumped together. */
const updaterLimit = 10;

/** Merges the oldest updaters of each version into one, `ancient-changes`, while there are too many. */
export function capUpdaters(owners: FieldOwners): void {
  const updaters = [...owners]
    .filter(([, owner]) => owner.operation === "Update")
    .sort(
      ([leftKey, left], [rightKey, right]) =>
        secondsOf(left.time) - secondsOf(right.time) || (leftKey < rightKey ? -1 : 1),
    );
  let count = updaters.length;
  const firstByVersion = new Map<string, string>();
  for (const [key, owner] of updaters) {
    if (count <= updaterLimit) return;
    const { apiVersion } = owner;
    const first = firstByVersion.get(apiVersion);
    if (first === undefined) {
      firstByVersion.set(apiVersion, key);
      continue;
    }
    const identity = {
      manager: "ancient-changes",
      operation: "Update",
      apiVersion,
      subresource: "",
    } as const;
    const bucketKey = fieldOwnerKey(identity);
    const bucket = owners.get(bucketKey) ?? owners.get(first);
    if (bucket === undefined) continue;
    if (!owners.has(bucketKey)) owners.delete(first);
    owners.delete(key);
    owners.set(bucketKey, {
      ...identity,
      set: owner.set.union(bucket.set),
      ...(owner.time === undefined ? {} : { time: owner.time }),
    });
    count -= 1;
  }
}
