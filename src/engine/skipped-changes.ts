import { identityKey } from "../objects/index.ts";
import { labelOfNode, type Plan, type PlanNode } from "../plan/index.ts";
import type { PlannedChange } from "./describe-plan.ts";

/**
 * Planned changes of which a run would skip those that wait for what is refused or skipped, and, where the
 * server refuses something, all deletions.
 */
export function withSkipped(
  planned: readonly PlannedChange[],
  { graph, nodes }: Plan,
): readonly PlannedChange[] {
  /** Why nodes of the graph do not come to their turn, by their key. */
  const held = new Map<string, string>();
  for (const { node, refusal } of planned) {
    const key = identityKey(node.identity);
    if (refusal !== undefined) held.set(key, `${nameOf(node)}, which the server refuses`);
    else if (node.kind === "apply" && node.action === "skip" && node.hook?.isIdle !== true)
      held.set(key, `${nameOf(node)}, which is skipped`);
  }
  if (held.size === 0) return planned;
  for (const key of graph.order()) {
    if (held.has(key) || nodes.get(key)?.kind === "prune") continue;
    const from = graph.dependenciesOf(key).find(({ to, soft }) => soft !== true && held.has(to));
    if (from !== undefined) held.set(key, held.get(from.to) ?? "");
  }
  const refused = planned.find(({ refusal }) => refusal !== undefined);
  return planned.map((each): PlannedChange => {
    const { node, refusal } = each;
    if (refusal !== undefined) return each;
    if (node.kind === "prune")
      return node.action === "delete" && refused !== undefined
        ? left(
            { ...node, action: "keep" },
            `${nameOf(refused.node)} is refused, and may still need it`,
          )
        : each;
    const cause = held.get(identityKey(node.identity));
    return cause === undefined || node.action === "skip" || node.hook?.isIdle === true
      ? each
      : left({ ...node, action: "skip" }, `it waits for ${cause}`);
  });
}

function left(node: PlanNode, message: string): PlannedChange {
  return { node: { ...node, reason: "DependencyNotReady", message }, changes: [] };
}

function nameOf(node: PlanNode): string {
  const { kind, name } = node.identity;
  return labelOfNode(node) ?? `${kind} ${name}`;
}
