import { ListsAhead } from "../../../observe/index.ts";
import type { CommandHandler } from "../../command.ts";
import { printPlan } from "../../views/plan-view.ts";
import { writeSavedPlan } from "../live/saved-plan.ts";
import { planCode, planSource } from "../plan-source.ts";
import { loadProject } from "./load-project.ts";
import { openProject } from "./open-project.ts";
import type { PlanFlags } from "./plan.ts";

export const runPlan: CommandHandler<PlanFlags, [string]> = async (context, flags, input) => {
  const { project, opened } = await openProject(context, flags, input);
  try {
    const ahead = new ListsAhead(opened.cluster);
    const loaded = await loadProject(context, input, project, { ...opened, ahead });
    const { plan, planned } = await planSource(context, flags, { ...opened, ahead }, loaded);
    printPlan(context, flags.output, planned);
    if (flags.out !== undefined && plan !== undefined) {
      const origin = { input, env: project.env, namespace: opened.namespace };
      await writeSavedPlan(context, flags.out, plan, { group: loaded.group, origin });
    }
    return planCode(plan, planned);
  } finally {
    await opened.cluster.close();
  }
};
