import type { GroupRun } from "../../../apply/index.ts";
import { DiagnosticError } from "../../../diagnostics/index.ts";
import type { Plan } from "../../../plan/index.ts";
import type { CommandHandler } from "../../command.ts";
import { confirm, isAsked } from "../../confirm.ts";
import type { CliContext } from "../../context.ts";
import { type Project, readProject } from "../../../engine/index.ts";
import { printPlan } from "../../views/plan-view.ts";
import { applySource } from "../run-source.ts";
import { endCode, type LiveRun, withLiveRun } from "../live/live-run.ts";
import { isSavedPlan, type PlanFile, readSavedPlan } from "../live/saved-plan.ts";
import { type PlannedChange, requireSamePlan } from "../../../engine/index.ts";
import type { ApplyFlags } from "./apply.ts";
import { type LoadedProject, loadProject } from "../../../engine/index.ts";
import { withNamespace } from "./open-project.ts";
import { stageOutputs } from "./stage-outputs.ts";
import { hostOf } from "../../host-of.ts";

export const runApply: CommandHandler<ApplyFlags, [string]> = async (context, flags, given) => {
  const saved = (await isSavedPlan(context, given))
    ? await readSavedPlan(context, given)
    : undefined;
  const input = saved?.origin?.input ?? given;
  const project = await readProject(hostOf(context), input, saved?.origin?.env ?? flags.env);
  const namespace = saved?.origin?.namespace ?? flags.namespace;
  const chosen = withNamespace(
    { ...flags, ...(namespace === undefined ? {} : { namespace }) },
    project,
  );
  const shown = { verbose: flags.showStatusEvents, showsPlan: flags.dryRun };
  return withLiveRun(context, chosen, shown, async (live, context) => {
    const run = await applyInStages(context, flags, live, { input, project, saved });
    return endCode(run, flags.allowSkips);
  });
};

interface Request {
  readonly input: string;
  readonly project: Project;
  readonly saved: PlanFile | undefined;
}

const mostStages = 50;

/**
 * Applies a source; one that decides on values which are not known yet in stages, if that is allowed:
 * what is known so far, then again with what has become known, until it is whole.
 */
async function applyInStages(
  context: CliContext,
  flags: ApplyFlags,
  live: LiveRun,
  { input, project, saved }: Request,
): Promise<GroupRun> {
  const allowsDecisions = flags.allowProvisionedConditions;
  // Who looks at the plan sees what it deletes.
  const acceptReplacements =
    flags.acceptReplacements || saved !== undefined || asksFor(context, flags);
  let outputs: Awaited<ReturnType<typeof stageOutputs>> = new Map();
  for (let stage = 1; ; stage++) {
    const loaded = await loadProject(hostOf(context), input, project, live, {
      outputs,
      allowsDecisions,
    });
    if (loaded.isPartial || stage > 1)
      live.view.emit({
        type: "group",
        action: "plan",
        status: "started",
        message: `stage ${stage}`,
      });
    const applied = { ...flags, acceptReplacements };
    const run = await applySource(context, applied, live, loaded, (plan, changes) =>
      accept(context, flags, loaded, { plan, changes, saved }),
    );
    const hasEnded = run.hasFailures || live.signal.aborted || flags.dryRun;
    if (!loaded.isPartial || hasEnded) return run;
    const before = outputs;
    outputs = await stageOutputs(live.cluster, loaded.group);
    const isStuck = [...outputs.keys()].every((name) => before.has(name));
    if (isStuck || stage >= mostStages) {
      // Once more without leave, for the decision that no stage makes possible.
      const { source } = await loadProject(hostOf(context), input, project, live, { outputs });
      throw new DiagnosticError(source.diagnostics);
    }
  }
}

async function accept(
  context: CliContext,
  flags: ApplyFlags,
  { group }: LoadedProject,
  {
    plan,
    changes,
    saved,
  }: {
    readonly plan: Plan;
    readonly changes: () => Promise<readonly PlannedChange[]>;
    readonly saved: PlanFile | undefined;
  },
): Promise<void> {
  if (saved !== undefined) {
    requireSamePlan(saved, plan, group);
    return;
  }
  if (flags.yes || context.stdin.isTTY !== true || flags.output === "json") return;
  const planned = await changes();
  printPlan(context, "text", planned);
  if (planned.some(({ node }) => node.action !== "unchanged" && node.action !== "forget"))
    await confirm(context, `Apply this to ${group.name}?`, flags);
}

/** Whether somebody looks at the plan and agrees to it. */
function asksFor(context: CliContext, flags: ApplyFlags): boolean {
  return isAsked(context, flags) && flags.output !== "json";
}
