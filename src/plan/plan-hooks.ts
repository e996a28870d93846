import type { ResourceStatus } from "../inventory/index.ts";
import { stringifyJson } from "../json/index.ts";
import { shortHash } from "../resources/index.ts";
import type { Chart, ChartHook } from "./chart.ts";
import type { ApplyNode, PlanNode } from "./plan.ts";

/** What is known when it is decided which hooks run. */
export interface HookWorld {
  readonly nodes: ReadonlyMap<string, PlanNode>;
  /** How the last run left each object, by identity key. */
  readonly statuses: ReadonlyMap<string, ResourceStatus>;
  readonly isOwned: (key: string) => boolean;
  readonly runsHooksAlone?: boolean | undefined;
  /** Whether a node is sure to change what is there. */
  readonly isChanged: (node: PlanNode) => boolean;
}

/**
 * Decides which hooks run. As in Helm, they run when something of their chart changes; when nothing does, an
 * apply changes nothing. A hook that a run left unfinished runs until it has succeeded. One that does not run
 * is left as it is, also where it is gone because it has succeeded.
 */
export function planHooks(charts: readonly Chart[], world: HookWorld): readonly ApplyNode[] {
  return charts.flatMap((chart, index) => {
    const isChanged = world.runsHooksAlone !== true && changes(chart, charts.length, world);
    return chart.hooks.flatMap((hook) => {
      const node = world.nodes.get(hook.key);
      if (node?.kind !== "apply" || node.action === "skip") return [];
      return [planHook(node, hook, `${index} ${hook.phase}`, isChanged, world)];
    });
  });
}

/** Whether anything of a chart changes that is no hook; what is pruned is known to be of a chart that is alone. */
function changes(
  { others, first }: Chart,
  count: number,
  { nodes, isChanged }: HookWorld,
): boolean {
  const isPruning = [...nodes.values()].some(
    ({ kind, action }) => kind === "prune" && action === "delete",
  );
  if (count === 1 && isPruning) return true;
  return [...others, ...first].some((key) => {
    const node = nodes.get(key);
    return node !== undefined && isChanged(node);
  });
}

function planHook(
  node: ApplyNode,
  { key, hook, event, phase: word }: ChartHook,
  phase: string,
  isChartChanged: boolean,
  { statuses, isOwned, isChanged }: HookWorld,
): ApplyNode {
  const last = statuses.get(key);
  const isUnfinished = last !== undefined && !isFinished(last);
  const isRunning = runningKinds.has(node.identity.kind);
  const text = stringifyJson(node.object);
  const digest = isRunning ? shortHash(text) : undefined;
  // What is gone can only be compared with what is remembered of it.
  const isOther =
    node.live === undefined
      ? last?.digest !== undefined && last.digest !== digest
      : isChanged(node);
  const isNew = !isOwned(key) || isOther;
  const runs = isUnfinished || (event !== undefined && (isChartChanged || isNew));
  const { deletesSucceeded, deletesFailed } = hook;
  const planned = {
    ...node,
    hook: { phase, deletesSucceeded, deletesFailed, digest, isIdle: !runs },
  };
  if (!runs) return { ...planned, action: "unchanged", message: undefined };
  if (!isRunning) return planned;
  const running = { ...planned, mustComplete: true };
  if (node.live === undefined) return running;
  // What still runs is waited for: nobody ends a migration to begin it again.
  if (isUnfinished && last.reconcile !== "Failed" && node.action === "unchanged") return running;
  const because = [`the hook ${event ?? `${word}-install`}`];
  return {
    ...running,
    action: "update",
    replacement: { because, deletesFirst: true },
    message: `replaced because of ${because.join(", ")}`,
  };
}

function isFinished({ actuation, reconcile }: ResourceStatus): boolean {
  return actuation === "Succeeded" && (reconcile === "Succeeded" || reconcile === "Skipped");
}

/** Kinds that run once, and must be made anew to run again. */
const runningKinds = new Set(["Job", "Pod"]);
