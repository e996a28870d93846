import type { Cluster } from "../cluster/index.ts";
import type { GroupReference, InventoryPolicy } from "../inventory/index.ts";
import type { SourcedObject } from "../objects/index.ts";
import type { ClusterReads } from "../observe/index.ts";
import type { InvalidObject, OrderedComponent } from "../plan/index.ts";
import type { Emit } from "../events/index.ts";
import type { ProgramRun } from "./program-run.ts";

/** The desired state of one inventory. */
export interface DesiredGroup {
  readonly objects: readonly SourcedObject[];
  /** Objects that are known to be wrong already. */
  readonly invalid: readonly InvalidObject[];
  /** Objects that belong together: components wait for each other, and events name them. */
  readonly components: readonly OrderedComponent[];
  /** What computes values that are not known yet, and makes what is outside of Kubernetes. */
  readonly program?: ProgramRun | undefined;
}

/** What becomes of owned objects that are not among the desired ones. */
export type PruneScope =
  | { readonly kind: "all" }
  /** Nothing is deleted: not all of the desired state is known yet. */
  | { readonly kind: "none" }
  /** These stay, by identity key: they are desired, though not by this run. */
  | { readonly kind: "except"; readonly keeps: (key: string) => boolean };

/** What a plan of an inventory needs. */
export interface PlanGroupOptions {
  readonly cluster: Cluster;
  readonly group: GroupReference;
  readonly desired: DesiredGroup;
  readonly prune: PruneScope;
  readonly policy: InventoryPolicy;
  readonly manager: string;
  /** Whether fields of other managers are taken over. */
  readonly forceConflicts: boolean;
  /** Whether invalid objects end the run before it begins, or are left out of it. */
  readonly validation: "fail" | "skip";
  /** Kinds, as `Kind.group`, whose objects are forgotten where the cluster does not serve them. */
  readonly forgetKinds?: readonly string[] | undefined;
  /** Whether hooks of a Helm chart run when they change themselves, rather than with every change of the chart. */
  readonly runsHooksAlone?: boolean | undefined;
  readonly emit: Emit;
  readonly signal: AbortSignal;
  /** What has been read of the cluster so far; the first plan reads nothing of it again. */
  readonly reads?: ClusterReads | undefined;
}
