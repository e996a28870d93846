import { type ObjectStatus, watchStatuses } from "../apply/index.ts";
import type { Cluster } from "../cluster/index.ts";
import type { RunEvent } from "../events/index.ts";
import {
  type GroupReference,
  type Inventory,
  loadInventory,
  presentEntries,
  servesInventories,
} from "../inventory/index.ts";
import { type Run, startRun } from "./run.ts";

export interface StatusOptions {
  /** Asked once everything is known, and after every change; ends at once unless given. */
  readonly until?: ((statuses: readonly ObjectStatus[]) => boolean) | undefined;
  readonly timeoutMs?: number | undefined;
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface InventoryStatus {
  readonly objects: readonly ObjectStatus[];
  /** Whether it came to what was waited for, rather than to the end of the time. */
  readonly isOver: boolean;
}

/** How every object is that an inventory owns, and every change of that for as long as is asked for. */
export function status(
  { cluster, group }: { readonly cluster: Cluster; readonly group: GroupReference },
  options: StatusOptions = {},
): Run<InventoryStatus> {
  const { until = () => true, timeoutMs = 60_000, onEvent } = options;
  const { signal = new AbortController().signal } = options;
  return startRun(async (emit) => {
    const inventory = await inventoryOf(cluster, group);
    const entries = inventory === undefined ? [] : presentEntries(inventory);
    if (entries.length === 0) return { objects: [], isOver: true };
    const deadline = Date.now() + timeoutMs;
    const { statuses, isOver } = await watchStatuses({
      cluster,
      entries,
      isOver: until,
      deadline,
      emit,
      signal,
    });
    return { objects: statuses, isOver };
  }, onEvent);
}

/** What is known of an inventory; undefined where the cluster knows no inventories yet. */
export async function inventoryOf(
  cluster: Cluster,
  group: GroupReference,
): Promise<Inventory | undefined> {
  return (await servesInventories(cluster)) === true ? loadInventory(cluster, group) : undefined;
}
