import { readOnce } from "../../../observe/index.ts";
import type { CommandHandler } from "../../command.ts";
import { printPlan } from "../../views/plan-view.ts";
import { writeSavedPlan } from "../live/saved-plan.ts";
import { planCode, planSource } from "../run-source.ts";
import { loadProject } from "../../../engine/index.ts";
import { openProject } from "./open-project.ts";
import type { PlanFlags } from "./plan.ts";
import { hostOf } from "../../host-of.ts";

export const runPlanCommand: CommandHandler<PlanFlags, [string]> = async (
  context,
  flags,
  input,
) => {
  const { project, opened } = await openProject(context, flags, input);
  try {
    const reads = readOnce(opened.cluster);
    const loaded = await loadProject(hostOf(context), input, project, { ...opened, reads });
    const planned = await planSource(context, flags, { ...opened, reads }, loaded);
    printPlan(context, flags.output, planned.planned);
    if (flags.out !== undefined) {
      const origin = { input, env: project.env, namespace: opened.namespace };
      writeSavedPlan(context, flags.out, planned.plan, { group: loaded.group, origin });
    }
    return planCode(planned);
  } finally {
    await opened.cluster.close();
  }
};
