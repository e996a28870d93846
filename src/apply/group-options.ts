import type { LeaseClock } from "../inventory/index.ts";
import type { ClusterReads } from "../observe/index.ts";
import type { Plan } from "../plan/index.ts";
import type { PlanGroupOptions } from "../prepare/index.ts";

/** How a run writes, and how long it waits. */
export interface RunLimits {
  readonly reconcileTimeoutMs: number;
  readonly pruneTimeoutMs: number;
  readonly propagationPolicy: "Background" | "Foreground" | "Orphan";
  readonly waits: boolean;
  /** Whether a Job is ready when it has completed, not when it has begun. */
  readonly waitsForJobs: boolean;
  /** Whether objects are pruned also when something that was applied is not ready. */
  readonly prunesDespiteFailures?: boolean | undefined;
}

export interface ApplyGroupOptions extends PlanGroupOptions {
  readonly write: RunLimits;
  /** Who changes the inventory, for others who find it locked, and for the history. */
  readonly holder: string;
  /** What the run is called in the history. */
  readonly command: string;
  readonly leaseWaitMs: number;
  /** The time by which the Lease of the inventory is held; that of the machine unless given. */
  readonly clock?: LeaseClock | undefined;
  /** Looks at the plan before anything is written; what it throws ends the run. */
  readonly acceptPlan?: ((plan: Plan, reads: ClusterReads) => Promise<void>) | undefined;
  /** Whether the inventory says in its status how each object is; so unless given. */
  readonly recordsStatus?: boolean | undefined;
  /** How large one ResourceGroup may become before the inventory goes on in another. */
  readonly largestPartBytes?: number | undefined;
}
