import {
  entryOf,
  type HistoryEntry,
  type HistoryObject,
  resourceNameAnnotation,
} from "../inventory/index.ts";
import type { JsonValue } from "../json/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
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
  return entryOf(objects, run);
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
  return action === "unchanged" || live === undefined ? undefined : objectChange(before, live);
}

/** How an object differs from what it was before it was written; undefined when it does not. */
export function objectChange(
  before: KubernetesObject | undefined,
  live: KubernetesObject,
): Change | undefined {
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
