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
import { type LoadedProject, loadProject, projectGroup } from "../../../engine/index.ts";
import { stringifyJson } from "../../../json/index.ts";
import { maskedValue } from "../../../objects/index.ts";
import { outputsType } from "../../../resources/index.ts";
import { keptOutputs, outputLines } from "./kept-outputs.ts";
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
    const { run, hasOutputs } = await applyInStages(context, flags, live, {
      input,
      project,
      saved,
    });
    if (hasOutputs && !run.hasFailures && !flags.dryRun && !live.signal.aborted)
      await tellOutputs(context, flags, live, project);
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
): Promise<{ readonly run: GroupRun; readonly hasOutputs: boolean }> {
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
    if (!loaded.isPartial || hasEnded) return { run, hasOutputs: exportsValues(loaded) };
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

function exportsValues({ source }: LoadedProject): boolean {
  if (source.kind !== "program") return false;
  return source.program.graph.resources.some(
    ({ inputs }) => (inputs as { readonly type?: unknown }).type === outputsType,
  );
}

/** Says what the program exports, now that all of it is known. */
async function tellOutputs(
  { process: { stdout }, style }: CliContext,
  { output }: ApplyFlags,
  { cluster, namespace }: LiveRun,
  project: Project,
): Promise<void> {
  const outputs = (await keptOutputs(cluster, project, projectGroup(project, namespace))) ?? [];
  if (outputs.length === 0) return;
  if (output === "json") {
    const values = Object.fromEntries(
      outputs.map(({ name, value, isSecret }) => [name, isSecret ? maskedValue : value]),
    );
    stdout.write(
      `${stringifyJson({ timestamp: new Date().toISOString(), type: "outputs", values })}\n`,
    );
    return;
  }
  stdout.write(`${style.stdout.bold("outputs")}\n`);
  for (const line of outputLines(outputs, false)) stdout.write(`  ${line}\n`);
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
