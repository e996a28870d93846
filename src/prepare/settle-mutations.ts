import { DiagnosticError } from "../diagnostics/index.ts";
import { identityKey, type KubernetesObject, withoutOwners } from "../objects/index.ts";
import { type ApplyNode, compareWithLive, type Plan, type PlanNode } from "../plan/index.ts";
import { readinessOf } from "../readiness/index.ts";
import type { PlanContext } from "./plan-passes.ts";
import { findSource, mutated } from "./mutated.ts";

/**
 * Finds out what objects are going to be whose fields are filled in from others, where all of those
 * stay as they are: then the plan can tell whether anything changes, and what.
 */
export async function settleMutations(plan: Plan, context: PlanContext): Promise<Plan> {
  const isOpen = (node: PlanNode): node is ApplyNode =>
    node.kind === "apply" && node.action === "update" && node.mutations.length > 0;
  if (![...plan.nodes.values()].some(isOpen)) return plan;
  const nodes = new Map(plan.nodes);
  for (const key of plan.graph.order()) {
    const node = nodes.get(key);
    if (node !== undefined && isOpen(node)) nodes.set(key, await settled(node, nodes, context));
  }
  return { ...plan, nodes };
}

async function settled(
  node: ApplyNode,
  nodes: ReadonlyMap<string, PlanNode>,
  { options: { reads, manager }, observed: { schemaOf } }: PlanContext,
): Promise<ApplyNode> {
  const { live, object, mutations } = node;
  if (live === undefined || node.isDeferred === true) return node;
  const sources = new Map<string, KubernetesObject>();
  try {
    for (const { source } of mutations) {
      const key = identityKey(source);
      const inside = nodes.get(key);
      const found = inside === undefined ? await findSource(reads, source) : inside.live;
      // What is not ready yet may still say something else by the time it is.
      const isFinal =
        found !== undefined &&
        (inside === undefined || inside.action === "unchanged") &&
        readinessOf(found, { now: Date.now() }).status === "Current";
      if (!isFinal) return node;
      sources.set(key, found);
    }
    const filled = mutated(object, mutations, sources);
    const schema = schemaOf(object.apiVersion, object.kind);
    return compareWithLive(filled, live, schema, manager) === "same"
      ? { ...node, filled, live: withoutOwners(live), action: "unchanged" }
      : { ...node, filled };
  } catch (error) {
    // What is wrong with a path is the failure of this object alone, when its turn comes.
    if (error instanceof DiagnosticError) return node;
    throw error;
  }
}
