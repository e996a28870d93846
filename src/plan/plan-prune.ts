import { ownershipOf } from "../inventory/index.ts";
import { identityKey, type KubernetesObject, type ObjectIdentity } from "../objects/index.ts";
import { isKept } from "./keep-annotations.ts";
import { type PlanInput, refusal } from "./make-plan.ts";
import type { PruneNode } from "./plan.ts";

/** What becomes of each object that is owned and no longer wished for. */
export function planPrune(
  input: PlanInput,
  desiredKeys: ReadonlySet<string>,
): readonly PruneNode[] {
  const { inventory, live, desired } = input;
  const appliedUids = new Set<string>();
  for (const key of desiredKeys) {
    const uid = live.get(key)?.metadata.uid;
    if (uid !== undefined) appliedUids.add(uid);
  }
  const usedNamespaces = new Set(desired.map(({ object }) => object.metadata.namespace ?? ""));
  return inventory.parts
    .flatMap(({ entries }) => entries)
    .filter((entry) => !desiredKeys.has(identityKey(entry)))
    .map((identity) =>
      pruneNode(input, identity, live.get(identityKey(identity)), appliedUids, usedNamespaces),
    );
}

function pruneNode(
  { inventory, policy }: PlanInput,
  identity: ObjectIdentity,
  live: KubernetesObject | undefined,
  appliedUids: ReadonlySet<string>,
  usedNamespaces: ReadonlySet<string>,
): PruneNode {
  const common = { kind: "prune" as const, identity, live };
  if (live === undefined)
    return { ...common, action: "forget", reason: "Gone", message: "it is gone already" };
  if (live.metadata.uid !== undefined && appliedUids.has(live.metadata.uid)) {
    return {
      ...common,
      action: "forget",
      reason: "Renamed",
      message: "it is applied under another name of its kind",
    };
  }
  if (isKept(live))
    return {
      ...common,
      action: "keep",
      reason: "KeepAnnotation",
      message: "its annotation asks to keep it",
    };
  if (identity.kind === "Namespace" && identity.group === "" && usedNamespaces.has(identity.name)) {
    return {
      ...common,
      action: "skip",
      reason: "NamespaceInUse",
      message: "it still holds objects of this inventory",
    };
  }
  const { reference, liveId } = inventory;
  const formerId = liveId === reference.id ? undefined : liveId;
  const ownership = ownershipOf(live, { id: reference.id, formerId }, policy);
  if (ownership.kind === "refused")
    return { ...common, action: "skip", ...refusal(ownership.owner) };
  return { ...common, action: "delete" };
}
