import { applyGroup } from "../../../apply/index.ts";
import type { Cluster } from "../../../cluster/index.ts";
import { DiagnosticError } from "../../../diagnostics/index.ts";
import { formatIdentity, stringifyJson } from "../../../objects/index.ts";
import { changesOf } from "../../../observe/index.ts";
import { type FieldChange, fieldDiff, type PlanNode } from "../../../plan/index.ts";
import type { CommandHandler } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { exitCode } from "../../exit-code.ts";
import { openCluster } from "../../open-cluster.ts";
import { report } from "../../report.ts";
import { planCounts } from "../../views/plan-counts.ts";
import { desiredState } from "../../source/desired-state.ts";
import { loadPackage } from "./load-package.ts";
import type { LivePlanFlags } from "./plan.ts";
import { writeSavedPlan } from "./saved-plan.ts";

/** One object of a plan, as both outputs show it. */
interface PlannedChange {
  readonly node: PlanNode;
  readonly changes: readonly FieldChange[];
  /** Why the server would refuse it. */
  readonly refusal?: string | undefined;
}

export const runLivePlan: CommandHandler<LivePlanFlags, [string]> = async (
  context,
  flags,
  input,
) => {
  const opened = await openCluster(context, flags);
  const { cluster } = opened;
  try {
    const { group, source } = await loadPackage(context, input, flags.rgFile, opened);
    const { objects, components, warnings } = await desiredState(cluster, source, opened.namespace);
    report(context, warnings, flags.output);
    const { plan } = await applyGroup({
      cluster,
      group,
      desired: objects,
      components,
      policy: flags.inventoryPolicy,
      manager: flags.fieldManager,
      forceConflicts: flags.forceConflicts,
      reconcileTimeoutMs: 0,
      pruneTimeoutMs: 0,
      propagationPolicy: "Background",
      waits: false,
      dryRun: true,
      holder: "",
      leaseWaitMs: 0,
      emit: () => {},
      signal: new AbortController().signal,
    });
    const planned = await Promise.all(
      [...(plan?.nodes.values() ?? [])].map((node) => describeNode(cluster, node, flags)),
    );
    print(context, flags, planned);
    if (flags.save !== undefined && plan !== undefined)
      await writeSavedPlan(context, flags.save, plan, group);
    return planned.some(({ refusal }) => refusal !== undefined)
      ? exitCode.failed
      : exitCode.success;
  } finally {
    await cluster.close();
  }
};

async function describeNode(
  cluster: Cluster,
  node: PlanNode,
  flags: LivePlanFlags,
): Promise<PlannedChange> {
  if (node.kind !== "apply" || node.action !== "update") return { node, changes: [] };
  try {
    const { before, after } = await changesOf(cluster, node.object, node.live, {
      manager: flags.fieldManager,
      force: flags.forceConflicts || node.takesOver,
    });
    return { node, changes: fieldDiff(before, after) };
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    const [first] = error.diagnostics;
    return {
      node,
      changes: [],
      refusal: [first?.summary, first?.detail, first?.hint]
        .filter((part) => part !== undefined)
        .join("\n"),
    };
  }
}

function actionOf({ node, changes, refusal }: PlannedChange): string {
  if (node.kind === "prune") return node.action === "delete" ? "prune" : node.action;
  // The dry run knows better than the comparison.
  return node.action === "update" && changes.length === 0 && refusal === undefined
    ? "unchanged"
    : node.action;
}

function print(context: CliContext, flags: LivePlanFlags, planned: readonly PlannedChange[]): void {
  const { stdout } = context.process;
  const visible = planned.filter((each) => actionOf(each) !== "forget");
  if (flags.output === "json") {
    for (const each of visible) {
      const { node, changes, refusal } = each;
      stdout.write(
        `${stringifyJson({ type: "plan", object: node.identity, status: actionOf(each), reason: node.reason, message: refusal ?? node.message, changes })}\n`,
      );
    }
    stdout.write(`${stringifyJson({ type: "summary", counts: countActions(visible) })}\n`);
    return;
  }
  for (const each of visible) for (const line of linesOf(each, context)) stdout.write(`${line}\n`);
  stdout.write(`${context.style.stdout.bold(planCounts(visible.map(actionOf)))}\n`);
}

function countActions(planned: readonly PlannedChange[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const each of planned) counts[actionOf(each)] = (counts[actionOf(each)] ?? 0) + 1;
  return counts;
}

function linesOf(each: PlannedChange, context: CliContext): readonly string[] {
  const { green, red, yellow, dim } = context.style.stdout;
  const { node, changes, refusal } = each;
  const name = formatIdentity(node.identity);
  const action = actionOf(each);
  const why = node.message === undefined ? "" : `: ${node.message}`;
  switch (action) {
    case "create":
      return [`${green("+")} ${name}`];
    case "update":
      return [
        `${yellow("~")} ${name}`,
        ...changes.map((change) => `    ${changeLine(change, context)}`),
        ...(refusal === undefined ? [] : refusal.split("\n").map((line) => `    ${red(line)}`)),
      ];
    case "prune":
      return [`${red("-")} ${name}`];
    case "unchanged":
      return [];
    default:
      return [`${dim("=")} ${name} ${action === "skip" ? "skipped" : action}${why}`];
  }
}

function changeLine({ path, before, after }: FieldChange, context: CliContext): string {
  const { green, red } = context.style.stdout;
  if (before === undefined) return green(`+ ${path}: ${stringifyJson(after)}`);
  if (after === undefined) return red(`- ${path}: ${stringifyJson(before)}`);
  return `  ${path}: ${red(stringifyJson(before))} → ${green(stringifyJson(after))}`;
}
