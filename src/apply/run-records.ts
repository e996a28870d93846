import type { ResourceStatus } from "../inventory/index.ts";
import type { ObjectIdentity } from "../objects/index.ts";
import type { Plan } from "../plan/index.ts";
import type { NodeOutcome } from "./node-outcome.ts";

/** What an apply is going to own. */
export function willOwn({ nodes }: Plan): readonly ObjectIdentity[] {
  return [...nodes.values()]
    .filter((node) => node.kind === "apply" && node.action !== "skip")
    .map(({ identity }) => identity);
}

/** Everything as it is before the first write. */
export function pendingStatuses({ nodes }: Plan): ReadonlyMap<string, ResourceStatus> {
  const statuses = new Map<string, ResourceStatus>();
  for (const [key, { identity, kind, action }] of nodes) {
    if (kind === "apply" && action === "skip") continue;
    statuses.set(key, {
      ...identity,
      status: "Unknown",
      strategy: kind === "apply" ? "Apply" : "Delete",
      actuation: "Pending",
      reconcile: "Pending",
    });
  }
  return statuses;
}

/** Everything applied, and everything that could not be deleted or looked at. */
export function finalEntries(
  { nodes }: Plan,
  outcomes: ReadonlyMap<string, NodeOutcome>,
  owned: ReadonlySet<string>,
): readonly ObjectIdentity[] {
  return [...nodes]
    .filter(([key, node]) => {
      // What is owned and desired is never forgotten, whatever became of it: it may be there unseen.
      if (node.kind === "apply" && owned.has(key)) return true;
      return !isRefused(node, outcomes.get(key)) && (outcomes.get(key)?.stays ?? true);
    })
    .map(([, { identity }]) => identity);
}

/** An object whose apply was refused does not become ours by being there, nor is it forgotten. */
function isRefused(
  node: { readonly kind: string; readonly action: string },
  outcome: NodeOutcome | undefined,
): boolean {
  return node.kind === "apply" && (node.action === "skip" || outcome?.refused === true);
}

/** How everything ended. */
export function finalStatuses(
  { nodes }: Plan,
  outcomes: ReadonlyMap<string, NodeOutcome>,
): ReadonlyMap<string, ResourceStatus> {
  const statuses = new Map<string, ResourceStatus>();
  for (const [key, node] of nodes) {
    const { identity, kind } = node;
    const outcome = outcomes.get(key);
    if (outcome === undefined) continue;
    const { status, actuation, reconcile } = outcome;
    statuses.set(key, {
      ...identity,
      status,
      strategy: kind === "apply" ? "Apply" : "Delete",
      actuation,
      reconcile,
      digest: node.kind === "apply" ? node.hook?.digest : undefined,
    });
  }
  return statuses;
}
