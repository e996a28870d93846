import type { CommandHandler } from "../../command.ts";
import { confirm } from "../../confirm.ts";
import { readProject } from "../../source/project.ts";
import { printPlan } from "../../views/plan-view.ts";
import { applySource } from "../apply-source.ts";
import { endCode, withLiveRun } from "../live/live-run.ts";
import { isSavedPlan, readSavedPlan, requireSamePlan } from "../live/saved-plan.ts";
import { describePlan } from "../plan-source.ts";
import type { ApplyFlags } from "./apply.ts";
import { loadProject } from "./load-project.ts";
import { withNamespace } from "./open-project.ts";

export const runApply: CommandHandler<ApplyFlags, [string]> = async (context, flags, given) => {
  const saved = (await isSavedPlan(context, given))
    ? await readSavedPlan(context, given)
    : undefined;
  const input = saved?.origin?.input ?? given;
  const project = await readProject(context, input, saved?.origin?.env ?? flags.env);
  const namespace = saved?.origin?.namespace ?? flags.namespace;
  const chosen = withNamespace(
    { ...flags, ...(namespace === undefined ? {} : { namespace }) },
    project,
  );
  const shown = { verbose: flags.showStatusEvents, showsPlan: flags.dryRun };
  return withLiveRun(context, chosen, shown, async (live) => {
    const loaded = await loadProject(context, input, project, live);
    const run = await applySource(context, flags, live, loaded, async (plan) => {
      if (saved !== undefined) {
        requireSamePlan(saved, plan, loaded.group);
        return;
      }
      if (flags.yes || context.stdin.isTTY !== true || flags.output === "json") return;
      const planned = await describePlan(live.cluster, plan, flags);
      printPlan(context, "text", planned);
      if (planned.some(({ node }) => node.action !== "unchanged" && node.action !== "forget"))
        await confirm(context, `Apply this to ${loaded.group.name}?`, flags);
    });
    return endCode(run, flags.allowSkips);
  });
};
