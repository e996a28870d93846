import { applyGroup, type GroupRun, type RunLimits } from "../apply/index.ts";
import type { Plan } from "../plan/index.ts";
import { describePlan } from "./describe-plan.ts";
import type { Loaded } from "./load.ts";
import { groupOptions, type Planned, type PlanOptions, withoutUndefined } from "./plan.ts";
import { refuseRenamed } from "./refuse-renamed.ts";
import { type Run, startRun } from "./run.ts";
import { keepPlan, requireSamePlan } from "./saved-plan.ts";

export interface ApplyOptions extends PlanOptions, Partial<RunLimits> {
  /** Who applies: others who find the inventory locked read it, and it stands in the history. */
  readonly holder?: string | undefined;
  /** What the run is called in the history. */
  readonly command?: string | undefined;
  /** Whether the ResourceGroup says in its status how each object is; so unless given. */
  readonly recordsStatus?: boolean | undefined;
  /** How long to wait for another run that changes the inventory; as long as for readiness unless given. */
  readonly lockWaitMs?: number | undefined;
  /** Whether what looks renamed may be deleted and created anew; refused unless given, or looked at as a plan. */
  readonly acceptReplacements?: boolean | undefined;
  /** Looks at the plan before anything is written; what it throws ends the run. */
  readonly acceptPlan?: ((plan: Plan, changes: Planned["changes"]) => Promise<void>) | undefined;
}

const writeDefaults: RunLimits = {
  reconcileTimeoutMs: 300_000,
  pruneTimeoutMs: 300_000,
  propagationPolicy: "Background",
  waits: true,
  waitsForJobs: false,
};

/**
 * Applies desired state as one inventory, waits until it is ready, and prunes what left it. A plan is
 * applied exactly as it was made, or not at all.
 *
 * ```ts
 * const run = apply(desired);
 * for await (const event of run) console.log(event.type);
 * const { hasFailures } = await run.result;
 * ```
 */
export function apply(
  what: Loaded | Planned,
  { acceptPlan, holder = "keelson", command = "apply", ...options }: ApplyOptions = {},
): Run<GroupRun> {
  const [desired, planned] = "plan" in what ? [what.desired, what.plan] : [what];
  return startRun((emit) => {
    const { lockWaitMs, acceptReplacements, ...given } = withoutUndefined(options);
    const write: RunLimits = { ...writeDefaults, ...given };
    const { manager = "keelson", forceConflicts = false } = options;
    const saved = planned === undefined ? undefined : keepPlan(planned, desired.group);
    return applyGroup({
      ...groupOptions(desired, desired.takeReads(), { ...options, onEvent: emit }),
      write,
      holder,
      command,
      recordsStatus: options.recordsStatus,
      leaseWaitMs: lockWaitMs ?? write.reconcileTimeoutMs,
      acceptPlan: async (plan, reads) => {
        if (saved !== undefined) requireSamePlan(saved, plan, desired.group);
        else if (acceptReplacements !== true) refuseRenamed(desired.warnings, plan);
        await acceptPlan?.(plan, () => describePlan(reads, plan, { manager, forceConflicts }));
        await buildFor(desired, plan);
      },
    });
  }, options.onEvent);
}

/** Builds the images of a Tiltfile that a plan needs. */
async function buildFor(desired: Loaded, plan: Plan): Promise<void> {
  if (desired.kind !== "tiltfile") return;
  const { builder } = desired.images;
  await builder?.build(builder.neededFor(plan));
}
