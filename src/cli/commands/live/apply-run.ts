import type { GroupReference } from "../../../inventory/index.ts";
import type { Plan } from "../../../plan/index.ts";
import type { CommandHandler } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import type { LiveApplyFlags } from "./apply.ts";
import { endCode, withLiveRun } from "./live-run.ts";
import { loadPackage } from "../../../engine/index.ts";
import { hostOf } from "../../host-of.ts";

export const runLiveApply: CommandHandler<LiveApplyFlags, [string]> = async (
  context,
  flags,
  input,
) => {
  const saved = flags.plan === undefined ? undefined : await savedPlan(context, flags.plan);
  const shown = { verbose: flags.showStatusEvents, showsPlan: flags.dryRun };
  return withLiveRun(context, flags, shown, async (live, context) => {
    // What comes after reading is loaded while the first answers are on their way.
    const [loaded, { applySource }] = await Promise.all([
      loadPackage(hostOf(context), input, flags.rgFile, {
        ...live,
        skipsInvalid: flags.validation === "skip",
      }),
      import("../run-source.ts"),
    ]);
    const run = await applySource(context, flags, live, loaded, (plan) => {
      saved?.requireSame(plan, loaded.group);
      return Promise.resolve();
    });
    return endCode(run, flags.allowSkips);
  });
};

async function savedPlan(context: CliContext, file: string): Promise<SavedPlanGuard> {
  const { readSavedPlan } = await import("./saved-plan.ts");
  const { requireSamePlan } = await import("../../../engine/index.ts");
  const saved = await readSavedPlan(context, file);
  return {
    requireSame: (plan, group) => {
      requireSamePlan(saved, plan, group);
    },
  };
}

/** Refuses any plan but the one that was saved. */
interface SavedPlanGuard {
  readonly requireSame: (plan: Plan, group: GroupReference) => void;
}
