import type { Cluster } from "../cluster/index.ts";
import { type GroupReference, type HeldLease, takeLease } from "../inventory/index.ts";
import type { Emit } from "./emit.ts";

/** Takes the Lease of an inventory, and says whom it waits for when another run has it. */
export function holdLease({
  cluster,
  group,
  holder,
  leaseWaitMs,
  signal,
  emit,
}: {
  readonly cluster: Cluster;
  readonly group: GroupReference;
  readonly holder: string;
  readonly leaseWaitMs: number;
  readonly signal: AbortSignal;
  readonly emit: Emit;
}): Promise<HeldLease> {
  return takeLease(cluster, group, {
    holder,
    waitMs: leaseWaitMs,
    signal,
    onWait: (other) => {
      emit({
        type: "group",
        action: "inventory",
        status: "started",
        message: `waiting for ${other}, which changes this inventory`,
      });
    },
  });
}
