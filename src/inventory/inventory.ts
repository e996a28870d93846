import { identityKey, type ObjectIdentity } from "../objects/index.ts";
import type { GroupMetadata } from "./group-metadata.ts";
import type { GroupReference } from "./group-reference.ts";

/** What the status of a ResourceGroup says of one object. */
export interface ResourceStatus extends ObjectIdentity {
  readonly status: string;
  readonly strategy: "Apply" | "Delete";
  readonly actuation: "Pending" | "Succeeded" | "Skipped" | "Failed";
  readonly reconcile: "Pending" | "Succeeded" | "Skipped" | "Failed" | "Timeout";
  /** Of a hook of a chart: what it was when it ran. It may be gone since, and cannot be compared. */
  readonly digest?: string | undefined;
}

/** One ResourceGroup of an inventory; large inventories have several. */
export interface InventoryPart {
  readonly name: string;
  readonly uid: string;
  /** As the cluster has it: a write fails when somebody else has written since. */
  readonly resourceVersion: string;
  /** Of the spec, as the cluster counts it, and as the status says it was seen. */
  readonly generation?: number | undefined;
  readonly observedGeneration?: number | undefined;
  /** The labels and annotations that earlier applies put on it for its user. */
  readonly metadata?: GroupMetadata | undefined;
  /** As the cluster has it; see {@link Inventory.formerId}. */
  readonly formerId?: string | undefined;
  /** As the cluster has it; see {@link Inventory.history}. */
  readonly history?: string | undefined;
  /** The same where the status cannot hold it. */
  readonly historyAnnotation?: string | undefined;
  /** The names of the parts that follow, with commas; the first part says it. */
  readonly continuedBy?: string | undefined;
  readonly entries: readonly ObjectIdentity[];
}

/** What is owned, as the cluster remembers it. */
export interface Inventory {
  readonly reference: GroupReference;
  /** The id that the cluster's ResourceGroup carries; undefined when there is none yet. */
  readonly liveId: string | undefined;
  /** The id that it had before, until every object carries the new one. */
  readonly formerId?: string | undefined;
  /** What was changed by runs, as it is kept: see `readHistory`. */
  readonly history?: string | undefined;
  readonly parts: readonly InventoryPart[];
  readonly statuses: ReadonlyMap<string, ResourceStatus>;
  /** Changes with every write of any part; empty as long as there is none. */
  readonly version: string;
}

/** What is owned and should be there. Hooks of charts may be gone because they have done their work. */
export function presentEntries({ parts, statuses }: Inventory): readonly ObjectIdentity[] {
  const hasEnded = (last: ResourceStatus | undefined): boolean =>
    last?.strategy === "Apply" &&
    last.status === "NotFound" &&
    last.actuation === "Succeeded" &&
    last.reconcile === "Succeeded";
  return parts
    .flatMap(({ entries }) => entries)
    .filter((entry) => !hasEnded(statuses.get(identityKey(entry))));
}

export function emptyInventory(reference: GroupReference): Inventory {
  return { reference, liveId: undefined, parts: [], statuses: new Map(), version: "" };
}
