import { ListsAhead } from "../../../observe/index.ts";
import type { CommandHandler } from "../../command.ts";
import { openCluster, sayCluster } from "../../open-cluster.ts";
import { printPlan } from "../../views/plan-view.ts";
import { planCode, planSource } from "../plan-source.ts";
import { loadPackage } from "./load-package.ts";
import type { LivePlanFlags } from "./plan.ts";
import { writeSavedPlan } from "./saved-plan.ts";

export const runLivePlan: CommandHandler<LivePlanFlags, [string]> = async (
  context,
  flags,
  input,
) => {
  const opened = await openCluster(context, flags);
  sayCluster(context, flags, opened);
  try {
    const ahead = new ListsAhead(opened.cluster);
    const loaded = await loadPackage(context, input, flags.rgFile, { ...opened, ahead });
    const { plan, planned } = await planSource(context, flags, { ...opened, ahead }, loaded);
    printPlan(context, flags.output, planned);
    if (flags.save !== undefined && plan !== undefined)
      await writeSavedPlan(context, flags.save, plan, { group: loaded.group });
    return planCode(plan, planned);
  } finally {
    await opened.cluster.close();
  }
};
