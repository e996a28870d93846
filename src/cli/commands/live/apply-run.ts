import { applyGroup } from "../../../apply/index.ts";
import type { CommandHandler } from "../../command.ts";
import { report } from "../../report.ts";
import type { LiveApplyFlags } from "./apply.ts";
import { endCode, leaseHolder, withLiveRun } from "./live-run.ts";
import { desiredState } from "../../source/desired-state.ts";
import { loadPackage } from "./load-package.ts";
import { readSavedPlan, requireSamePlan } from "./saved-plan.ts";

export const runLiveApply: CommandHandler<LiveApplyFlags, [string]> = async (
  context,
  flags,
  input,
) => {
  const saved = flags.plan === undefined ? undefined : await readSavedPlan(context, flags.plan);
  const shown = { verbose: flags.showStatusEvents, showsPlan: flags.dryRun };
  return withLiveRun(context, flags, shown, async (live) => {
    const { cluster, view, signal } = live;
    const { group, source } = await loadPackage(context, input, flags.rgFile, live);
    const { objects, components, warnings } = await desiredState(cluster, source, live.namespace);
    report(context, warnings, flags.output === "json" ? "json" : "text");
    const run = await applyGroup({
      cluster,
      group,
      desired: objects,
      components,
      policy: flags.inventoryPolicy,
      manager: flags.fieldManager,
      forceConflicts: flags.forceConflicts,
      validation: flags.validation,
      reconcileTimeoutMs: flags.reconcileTimeout,
      pruneTimeoutMs: flags.pruneTimeout,
      propagationPolicy: flags.prunePropagationPolicy,
      waits: flags.wait,
      dryRun: flags.dryRun,
      holder: leaseHolder(),
      leaseWaitMs: flags.reconcileTimeout,
      emit: view.emit,
      signal,
      ...(saved === undefined
        ? {}
        : {
            acceptPlan: (plan) => {
              requireSamePlan(saved, plan, group);
            },
          }),
    });
    return endCode(run, flags.allowSkips);
  });
};
