import {
  type Inventory,
  type InventoryPolicy,
  type Ownership,
  ownershipOf,
} from "../inventory/index.ts";
import {
  identityKey,
  identityOf,
  type KubernetesObject,
  type ObjectIdentity,
} from "../objects/index.ts";
import { type InUse, keptAmong, neededBy } from "./in-use.ts";
import type { PlanInput } from "./make-plan.ts";
import { laterStage, type PruneNode } from "./plan.ts";
import { removalOf, uncheckedAmong } from "./removal.ts";

/** What becomes of each object that is owned and no longer wished for. */
export function planPrune(
  input: PlanInput,
  desiredKeys: ReadonlySet<string>,
): readonly PruneNode[] {
  const { inventory, live, desired, absence } = input;
  const appliedUids = new Set<string>();
  for (const key of desiredKeys) {
    const uid = live.get(key)?.metadata.uid;
    if (uid !== undefined) appliedUids.add(uid);
  }
  const leaving = inventory.parts
    .flatMap(({ entries }) => entries)
    .filter((entry) => !desiredKeys.has(identityKey(entry)));
  const used = neededBy(
    [
      ...desired.map(({ object }) => identityOf(object)),
      ...keptAmong(leaving, live),
      ...uncheckedAmong(leaving, live, absence),
    ],
    [inventory.reference.namespace],
  );
  return leaving.map((identity) =>
    pruneNode(input, identity, live.get(identityKey(identity)), appliedUids, used),
  );
}

function pruneNode(
  { inventory, policy, absence, stays }: PlanInput,
  identity: ObjectIdentity,
  live: KubernetesObject | undefined,
  appliedUids: ReadonlySet<string>,
  used: InUse,
): PruneNode {
  const common = { kind: "prune" as const, identity, live };
  if (stays?.(identityKey(identity)) === true)
    return {
      ...common,
      action: "skip",
      reason: laterStage,
      message: "it stays: not all that is desired is known",
    };
  if (live?.metadata.uid !== undefined && appliedUids.has(live.metadata.uid)) {
    return {
      ...common,
      action: "forget",
      reason: "Renamed",
      message: "it is applied under another name of its kind",
    };
  }
  const { namespace: inventoryNamespace } = inventory.reference;
  const ownership = ownershipIn(inventory, live, policy);
  const leaving = { identity, live, ownership, used, inventoryNamespace, absence };
  return { ...common, ...removalOf(leaving) };
}

/** Whose a live object is, as an inventory sees it. */
export function ownershipIn(
  { reference: { id }, formerId }: Inventory,
  live: KubernetesObject | undefined,
  policy: InventoryPolicy,
): Ownership {
  return live === undefined ? { kind: "ours" } : ownershipOf(live, { id, formerId }, policy);
}
