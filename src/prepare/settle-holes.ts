import {
  type ApplyNode,
  coverHole,
  type Hole,
  isFieldSettled,
  isProvisionedObject,
  type Plan,
} from "../plan/index.ts";
import type { PlanContext } from "./plan-passes.ts";
import { withReplacement } from "./with-replacement.ts";

/**
 * Opens the holes whose values may become others, because what fills them is going to change; those that
 * others take from such an object are open in turn. What cannot be changed in place is found on the way,
 * because a new object has new values.
 */
export async function settleHoles(plan: Plan, context: PlanContext): Promise<Plan> {
  const { options, observed } = context;
  const { program } = options.desired;
  const nodes = new Map(plan.nodes);
  const isOpen = ({ sources }: Hole): boolean =>
    sources.some(({ key, path, identity }) => {
      const source = nodes.get(key);
      // What is not part of the run is not changed by it.
      if (source === undefined && identity !== undefined) return false;
      return !isFieldSettled(source, path, observed.schemaOf, options.manager);
    });
  const isTouched = (node: ApplyNode): boolean => node.holes !== undefined || program !== undefined;
  if (![...nodes.values()].some((node) => node.kind === "apply" && isTouched(node))) return plan;
  for (const key of plan.graph.order()) {
    const node = nodes.get(key);
    if (node?.kind !== "apply" || !isTouched(node)) continue;
    nodes.set(key, await withReplacement(options, withOpened(node, isOpen)));
  }
  return { ...plan, nodes };
}

function withOpened(node: ApplyNode, isOpen: (hole: Hole) => boolean): ApplyNode {
  const { holes } = node;
  if (holes === undefined) return node;
  const opened = holes.holes.filter((hole) => !holes.open.includes(hole) && isOpen(hole));
  if (opened.length === 0) return node;
  return {
    ...node,
    // Providers compare inputs, for which a value that may become another is better than words.
    object: isProvisionedObject(node.object) ? node.object : opened.reduce(coverHole, node.object),
    holes: { ...holes, open: [...holes.open, ...opened] },
    action: node.action === "unchanged" ? "update" : node.action,
  };
}
