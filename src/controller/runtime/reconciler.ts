import type { Cluster, ClusterView } from "../../cluster/index.ts";
import type { EventRecorder } from "./event-recorder.ts";
import type { Log } from "./log.ts";
import type { Worked, WorkQueue } from "./work-queue.ts";

/** What a reconciler may use. */
export interface ReconcilerContext {
  readonly cluster: Cluster;
  /** The shared watches of everything that is looked at. */
  readonly informers: ClusterView;
  readonly queue: Pick<WorkQueue, "add" | "addAfter" | "forgive">;
  readonly events: EventRecorder;
  readonly log: Log;
  /** Aborted when the process stops, or no longer leads: nothing more may be written. */
  readonly signal: AbortSignal;
}

/** Looks after the owners of one kind: brings what there is to what was asked for, one owner at a time. */
export interface Reconciler {
  /** For logs, metrics and Events: `bundles`. */
  readonly name: string;
  /** Begins to watch and to add keys; resolves when all that is watched from the start is known. */
  readonly start: (context: ReconcilerContext) => Promise<void>;
  /** Looks at one owner. What it throws is tried again with growing pauses. */
  readonly reconcile: (key: string, context: ReconcilerContext) => Promise<Worked>;
}
