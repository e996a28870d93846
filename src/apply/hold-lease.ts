import type { Cluster } from "../cluster/index.ts";
import {
  type GroupReference,
  type HeldLease,
  type LeaseClock,
  whileHolding,
} from "../inventory/index.ts";
import type { Emit } from "../events/index.ts";

interface HoldOptions {
  readonly cluster: Cluster;
  readonly group: GroupReference;
  readonly holder: string;
  readonly leaseWaitMs: number;
  readonly clock?: LeaseClock | undefined;
  readonly signal: AbortSignal;
  readonly emit: Emit;
}

/**
 * Does something while the Lease of an inventory is held, with options whose cluster is written to only as
 * long as it is. Says whom it waits for when another run has it.
 */
export function holdingLease<Options extends HoldOptions, Result>(
  options: Options,
  body: (options: Options, lease: HeldLease) => Promise<Result>,
): Promise<Result> {
  const { cluster, group, holder, leaseWaitMs, signal, emit, clock } = options;
  const hold = {
    holder,
    waitMs: leaseWaitMs,
    clock,
    signal,
    onWait: (other: string) => {
      emit({
        type: "group",
        action: "inventory",
        status: "started",
        message: `waiting for ${other}, which changes this inventory`,
      });
    },
  };
  return whileHolding(cluster, group, hold, (fenced, lease) =>
    body({ ...options, cluster: fenced }, lease),
  );
}
