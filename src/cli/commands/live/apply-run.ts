import { applyGroup } from "../../../apply/index.ts";
import type { CommandHandler } from "../../command.ts";
import { report } from "../../report.ts";
import type { LiveApplyFlags } from "./apply.ts";
import { endCode, leaseHolder, withLiveRun } from "./live-run.ts";
import { completeObjects, loadPackage } from "./load-package.ts";
import { readSavedPlan, requireSamePlan } from "./saved-plan.ts";

export const runLiveApply: CommandHandler<LiveApplyFlags, [string]> = async (
  context,
  flags,
  input,
) => {
  const saved = flags.plan === undefined ? undefined : await readSavedPlan(context, flags.plan);
  const loaded = await loadPackage(context, input, flags.rgFile);
  const shown = { verbose: flags.showStatusEvents, showsPlan: flags.dryRun };
  return withLiveRun(context, flags, shown, async (live) => {
    const { cluster, namespace, view, signal } = live;
    const { objects, warnings } = await completeObjects(cluster, loaded.objects, namespace);
    report(context, [...loaded.warnings, ...warnings], flags.output === "json" ? "json" : "text");
    const run = await applyGroup({
      cluster,
      group: loaded.group,
      desired: objects,
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
              requireSamePlan(saved, plan, loaded.group);
            },
          }),
    });
    return endCode(run, flags.allowSkips);
  });
};
