import type { CommandHandler } from "../../command.ts";
import { applySource } from "../apply-source.ts";
import type { LiveApplyFlags } from "./apply.ts";
import { endCode, withLiveRun } from "./live-run.ts";
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
    const loaded = await loadPackage(context, input, flags.rgFile, live);
    const run = await applySource(context, flags, live, loaded, (plan) => {
      if (saved !== undefined) requireSamePlan(saved, plan, loaded.group);
      return Promise.resolve();
    });
    return endCode(run, flags.allowSkips);
  });
};
