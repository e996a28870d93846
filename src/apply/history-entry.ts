import {
  type HistoryAction,
  type HistoryEntry,
  type HistoryObject,
  resourceNameAnnotation,
} from "../inventory/index.ts";
import type { JsonValue, KubernetesObject } from "../objects/index.ts";
import {
  type ApplyNode,
  fieldDiff,
  type Plan,
  type PlanNode,
  type PruneNode,
} from "../plan/index.ts";
import type { NodeOutcome } from "./node-outcome.ts";

/** What a run has changed, to be remembered; undefined when that is nothing. */
export function historyEntry(
  plan: Plan,
  outcomes: ReadonlyMap<string, NodeOutcome>,
  run: Pick<HistoryEntry, "at" | "by" | "command">,
): HistoryEntry | undefined {
  const objects = [...plan.nodes].flatMap(([key, node]): readonly HistoryObject[] => {
    const outcome = outcomes.get(key);
    const change = outcome === undefined ? undefined : changeOf(node, outcome);
    return change === undefined ? [] : [{ key, ...change }];
  });
  if (objects.length === 0) return undefined;
  const counts: Partial<Record<HistoryAction, number>> = {};
  for (const { action } of objects) counts[action] = (counts[action] ?? 0) + 1;
  // What went wrong is looked for first, and is what is cut last.
  const order = (action: HistoryAction): number => (action === "failed" ? 0 : 1);
  return { ...run, counts, objects: objects.toSorted((a, b) => order(a.action) - order(b.action)) };
}

type Change = Omit<HistoryObject, "key">;

function changeOf(node: PlanNode, outcome: NodeOutcome): Change | undefined {
  if (outcome.actuation === "Failed") return { action: "failed" };
  if (outcome.actuation !== "Succeeded") return undefined;
  return node.kind === "prune" ? pruned(node, outcome) : applied(node, outcome);
}

function pruned({ action }: PruneNode, { stays }: NodeOutcome): Change | undefined {
  return action === "delete" && !stays ? { action: "pruned" } : undefined;
}

function applied({ action, live: before }: ApplyNode, { live }: NodeOutcome): Change | undefined {
  if (action === "unchanged" || live === undefined) return undefined;
  if (before === undefined) return { action: "created" };
  if (before.metadata.resourceVersion === live.metadata.resourceVersion) return undefined;
  const fields = fieldDiff(described(before), described(live)).map(({ path }) => path);
  const was = before.metadata.annotations?.[resourceNameAnnotation];
  return {
    action: before.metadata.uid === live.metadata.uid ? "changed" : "replaced",
    ...(fields.length === 0 ? {} : { fields }),
    ...(was === undefined || was === live.metadata.annotations?.[resourceNameAnnotation]
      ? {}
      : { was }),
  };
}

/** Without what every write changes, and what nobody wishes for. */
function described({ metadata, status: _status, ...rest }: KubernetesObject): JsonValue {
  const { labels = {}, annotations = {}, finalizers = [], ownerReferences = [] } = metadata;
  const kept = { labels, annotations, finalizers, ownerReferences };
  return { ...rest, metadata: kept } as unknown as JsonValue;
}
