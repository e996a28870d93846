import { identityKey } from "../objects/index.ts";
import { labelOfNode, type Plan, type PlanNode } from "../plan/index.ts";
import type { PlannedChange } from "./describe-plan.ts";

/** Planned changes of which a run would skip those that wait for what the server refuses, and all deletions. */
export function withSkipped(
  planned: readonly PlannedChange[],
  { graph, nodes }: Plan,
): readonly PlannedChange[] {
  /** Why nodes of the graph do not come to their turn, by their key. */
  const held = new Map<string, string>();
  for (const { node, refusal } of planned)
    if (refusal !== undefined) held.set(identityKey(node.identity), nameOf(node));
  const [refused] = held.values();
  if (refused === undefined) return planned;
  for (const key of graph.order()) {
    if (held.has(key) || nodes.get(key)?.kind === "prune") continue;
    const from = graph.dependenciesOf(key).find(({ to, soft }) => soft !== true && held.has(to));
    if (from !== undefined) held.set(key, held.get(from.to) ?? "");
  }
  return planned.map((each): PlannedChange => {
    const { node, refusal } = each;
    if (refusal !== undefined) return each;
    if (node.kind === "prune")
      return node.action === "delete"
        ? left({ ...node, action: "keep" }, `${refused} is refused, and may still need it`)
        : each;
    const name = held.get(identityKey(node.identity));
    return name === undefined || node.action === "skip"
      ? each
      : left({ ...node, action: "skip" }, `it waits for ${name}, which the server refuses`);
  });
}

function left(node: PlanNode, message: string): PlannedChange {
  return { node: { ...node, reason: "DependencyNotReady", message }, changes: [] };
}

function nameOf(node: PlanNode): string {
  const { kind, name } = node.identity;
  return labelOfNode(node) ?? `${kind} ${name}`;
}
