import { readOnce } from "../../../observe/index.ts";
import type { CommandHandler } from "../../command.ts";
import { openCluster, sayCluster } from "../../open-cluster.ts";
import { printPlan } from "../../views/plan-view.ts";
import { planCode, planSource } from "../run-source.ts";
import { loadPackage } from "../../../engine/index.ts";
import type { LivePlanFlags } from "./plan.ts";
import { writeSavedPlan } from "./saved-plan.ts";
import { hostOf } from "../../host-of.ts";

export const runLivePlan: CommandHandler<LivePlanFlags, [string]> = async (
  context,
  flags,
  input,
) => {
  const opened = await openCluster(context, flags);
  sayCluster(context, flags, opened);
  try {
    const reads = readOnce(opened.cluster);
    const loaded = await loadPackage(hostOf(context), input, flags.rgFile, {
      ...opened,
      reads,
      skipsInvalid: flags.validation === "skip",
    });
    const planned = await planSource(context, flags, { ...opened, reads }, loaded);
    printPlan(context, flags.output, planned.planned);
    if (flags.save !== undefined)
      writeSavedPlan(context, flags.save, planned.plan, { group: loaded.group });
    return planCode(planned);
  } finally {
    await opened.cluster.close();
  }
};
