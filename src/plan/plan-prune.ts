import { ownershipOf } from "../inventory/index.ts";
import {
  identityKey,
  identityOf,
  type KubernetesObject,
  type ObjectIdentity,
} from "../objects/index.ts";
import { type InUse, inUseReason, keptAmong, neededBy } from "./in-use.ts";
import { isKept, isProtected, protection } from "./keep-annotations.ts";
import { isProvisioned, recordOfObject } from "./provisioned-record.ts";
import { type PlanInput, refusal } from "./make-plan.ts";
import { laterStage, type PruneNode } from "./plan.ts";

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
  const leaving = inventory.parts
    .flatMap(({ entries }) => entries)
    .filter((entry) => !desiredKeys.has(identityKey(entry)));
  const used = neededBy(
    [...desired.map(({ object }) => identityOf(object)), ...keptAmong(leaving, live)],
    [inventory.reference.namespace],
  );
  return leaving.map((identity) =>
    pruneNode(input, identity, live.get(identityKey(identity)), appliedUids, used),
  );
}

/** Only what was looked for and not found is gone. */
export function absent(
  identity: ObjectIdentity,
  unchecked: ReadonlySet<string> | undefined,
): Pick<PruneNode, "action" | "reason" | "message"> {
  return unchecked?.has(identityKey(identity)) === true
    ? {
        action: "skip",
        reason: "NotChecked",
        message: `the server of ${identity.group} does not answer, so nobody knows whether it is there`,
      }
    : { action: "forget", reason: "Gone", message: "it is gone already" };
}

function pruneNode(
  { inventory, policy, unchecked, prunes, keeps }: PlanInput,
  identity: ObjectIdentity,
  live: KubernetesObject | undefined,
  appliedUids: ReadonlySet<string>,
  used: InUse,
): PruneNode {
  const common = { kind: "prune" as const, identity, live };
  if (prunes === false || keeps?.(identityKey(identity)) === true)
    return {
      ...common,
      action: "skip",
      reason: laterStage,
      message: "a later stage decides on it",
    };
  if (live === undefined) return { ...common, ...absent(identity, unchecked) };
  if (live.metadata.uid !== undefined && appliedUids.has(live.metadata.uid)) {
    return {
      ...common,
      action: "forget",
      reason: "Renamed",
      message: "it is applied under another name of its kind",
    };
  }
  if (isProtected(live)) return { ...common, ...protection };
  if (isKept(live))
    return {
      ...common,
      action: "keep",
      reason: "KeepAnnotation",
      message: "its annotation asks to keep it",
    };
  const reason = inUseReason(identity, live, used);
  if (reason !== undefined) {
    const message =
      reason === "DefinitionInUse"
        ? "it still defines objects that stay"
        : identity.name === inventory.reference.namespace
          ? "it holds the inventory itself"
          : "it still holds objects of this inventory";
    return { ...common, action: "skip", reason, message };
  }
  const { reference, formerId } = inventory;
  const ownership = ownershipOf(live, { id: reference.id, formerId }, policy);
  if (ownership.kind === "refused")
    return { ...common, action: "skip", ...refusal(ownership.owner) };
  return { ...common, ...deletion(identity, live) };
}

/** What is outside of Kubernetes may be told to stay where its record goes. */
export function deletion(
  identity: ObjectIdentity,
  live: KubernetesObject,
): Pick<PruneNode, "action" | "message"> {
  return isProvisioned(identity) && recordOfObject(live)?.spec.deletionPolicy === "retain"
    ? { action: "delete", message: "it stays; only its record goes" }
    : { action: "delete" };
}
