import { type GroupRun, planGroup } from "../apply/index.ts";
import type { PruneScope } from "../prepare/index.ts";
import type { RunEvent } from "../events/index.ts";
import type { ClusterReads } from "../observe/index.ts";
import type { InventoryPolicy } from "../inventory/index.ts";
import { describePlan, type PlannedChange } from "./describe-plan.ts";
import type { Loaded } from "./load.ts";

export interface PlanOptions {
  /** What to do with objects that another owner has: refuse them, take free ones, take all. */
  readonly policy?: InventoryPolicy | undefined;
  /** The field manager under which objects are written. */
  readonly manager?: string | undefined;
  /** Whether fields of other managers are taken over. */
  readonly forceConflicts?: boolean | undefined;
  /** Whether invalid objects end the run before it begins, or are left out of it. */
  readonly validation?: "fail" | "skip" | undefined;
  /** Which owned objects are deleted because they are no longer desired; all of them unless given. */
  readonly prune?: PruneScope | undefined;
  /** Kinds, as `Kind.group`, whose owned objects are forgotten where the cluster does not serve them. */
  readonly forgetKinds?: readonly string[] | undefined;
  /** Takes events the moment they happen. */
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What an apply is going to do. */
export interface Planned extends GroupRun {
  readonly desired: Loaded;
  /** Every object with the fields that change; asks the server by dry runs. */
  readonly changes: () => Promise<readonly PlannedChange[]>;
}

/**
 * Plans what an apply of desired state would do; nothing is written, not even a lock.
 *
 * ```ts
 * const { plan } = await plan(desired);
 * for (const { identity, action } of plan.nodes.values()) console.log(action, identity.name);
 * ```
 */
export async function plan(desired: Loaded, options: PlanOptions = {}): Promise<Planned> {
  const reads = desired.takeReads();
  const run = await planGroup(groupOptions(desired, reads, options));
  const { manager, forceConflicts } = { ...planDefaults, ...withoutUndefined(options) };
  return {
    ...run,
    desired,
    changes: () => describePlan(reads, run.plan, { manager, forceConflicts }),
  };
}

const planDefaults = {
  policy: "strict",
  manager: "keelson",
  forceConflicts: false,
  validation: "fail",
  prune: { kind: "all" },
} as const;

/** The options of a run of an inventory, with all that is usual. */
export function groupOptions(
  desired: Loaded,
  reads: ClusterReads,
  options: PlanOptions,
): Parameters<typeof planGroup>[0] {
  const { cluster, group } = desired;
  const { policy, manager, forceConflicts, validation, prune } = {
    ...planDefaults,
    ...withoutUndefined(options),
  };
  const program = desired.kind === "program" ? desired.program : undefined;
  const { objects, invalid, components } = desired;
  return {
    cluster,
    group,
    desired: { objects, invalid, components, program },
    prune,
    forgetKinds: options.forgetKinds,
    policy,
    manager,
    forceConflicts,
    validation,
    emit: options.onEvent ?? (() => undefined),
    signal: options.signal ?? new AbortController().signal,
    reads,
  };
}

/** Options that are not given must not hide what is usual. */
export function withoutUndefined<Options extends object>(
  options: Options,
): { readonly [Key in keyof Options]?: Exclude<Options[Key], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    readonly [Key in keyof Options]?: Exclude<Options[Key], undefined>;
  };
}
