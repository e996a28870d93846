import type { Ownership } from "../inventory/index.ts";
import { identityKey, type KubernetesObject, type ObjectIdentity } from "../objects/index.ts";
import { type InUse, inUseReason } from "./in-use.ts";
import { isKept, isProtected } from "./keep-annotations.ts";
import type { PruneNode } from "./plan.ts";
import { isRecordIdentity, recordOfObject } from "./provisioned-record.ts";

/** What becomes of an object that is no longer in the desired state. */
export type Removal = Pick<PruneNode, "action" | "reason" | "message">;

export interface LeavingObject {
  readonly identity: ObjectIdentity;
  readonly live: KubernetesObject | undefined;
  /** Whose the live object is. */
  readonly ownership: Ownership;
  /** What stays needs these: a namespace, a definition. */
  readonly used?: InUse | undefined;
  /** Where those that stay are remembered: a namespace that must stay, too. */
  readonly inventoryNamespace?: string | undefined;
  /** Of what is not live: what is known for certain; nothing unless given. */
  readonly absence?: KnownAbsence | undefined;
}

/** What is known of objects that were not found. */
export interface KnownAbsence {
  /** How it is known that an object is gone, by identity key. What is not here may be there. */
  readonly absent: ReadonlyMap<string, string>;
  /** Why it is not known whether an object is there, by identity key. */
  readonly unchecked: ReadonlyMap<string, string>;
}

/**
 * Decides what becomes of an object that leaves: by a prune, a destroy, a bundle or a supply chain. What
 * asks to stay stays, whoever would delete it.
 */
export function removalOf(leaving: LeavingObject): Removal {
  const { identity, live, ownership } = leaving;
  if (live === undefined) return absent(identity, leaving.absence);
  if (isProtected(live))
    return {
      action: "skip",
      reason: "Protected",
      message: "it is protected; take the protection away first, with an apply of its own",
    };
  if (isKept(live))
    return { action: "keep", reason: "KeepAnnotation", message: "its annotation asks to keep it" };
  const use = leaving.used === undefined ? undefined : inUseReason(identity, live, leaving.used);
  if (use !== undefined) return { action: "skip", reason: use, message: useMessage(use, leaving) };
  if (ownership.kind === "refused") return { action: "skip", ...ownershipRefusal(ownership.owner) };
  // What is outside of Kubernetes may be told to stay where its record goes.
  return isRecordIdentity(identity) && recordOfObject(live)?.spec.deletionPolicy === "retain"
    ? { action: "delete", message: "it stays; only its record goes" }
    : { action: "delete" };
}

/** Only what is known to be gone is forgotten: that nobody saw it proves nothing. */
function absent(identity: ObjectIdentity, absence: KnownAbsence | undefined): Removal {
  const key = identityKey(identity);
  const how = absence?.absent.get(key);
  if (how !== undefined) return { action: "forget", reason: "Gone", message: how };
  const why = absence?.unchecked.get(key) ?? "nobody knows whether it is there";
  return { action: "skip", reason: notChecked, message: why };
}

/** The reason of what stays because nobody knows whether it is there. */
const notChecked = "NotChecked";

/** Those of the leaving objects that nobody could look at: what they need stays with them. */
export function uncheckedAmong(
  leaving: readonly ObjectIdentity[],
  live: ReadonlyMap<string, KubernetesObject>,
  absence: KnownAbsence | undefined,
): readonly ObjectIdentity[] {
  return leaving.filter((identity) => {
    const key = identityKey(identity);
    return !live.has(key) && absence?.absent.has(key) !== true;
  });
}

function useMessage(
  use: "NamespaceInUse" | "DefinitionInUse",
  { identity, inventoryNamespace }: LeavingObject,
): string {
  if (use === "DefinitionInUse") return "it still defines objects that stay";
  return identity.name === inventoryNamespace
    ? "it holds the inventory itself"
    : "it holds objects that stay";
}

/** Why an object of somebody else is left as it is. */
export function ownershipRefusal(owner: string | undefined): {
  readonly reason: string;
  readonly message: string;
} {
  return owner === undefined
    ? {
        reason: "NotOwned",
        message: "it exists already and belongs to no inventory; --inventory-policy=adopt takes it",
      }
    : {
        reason: "OwnedByOther",
        message: `it belongs to the inventory ${owner}; --inventory-policy=force-adopt takes it from there`,
      };
}
