import { Graph, withoutSoftCycles } from "../graph/index.ts";
import { type Inventory, type InventoryPolicy, ownershipOf } from "../inventory/index.ts";
import { identityKey, type KubernetesObject } from "../objects/index.ts";
import { isKept } from "./keep-annotations.ts";
import { refusal } from "./make-plan.ts";
import { objectGraph } from "./object-graph.ts";
import type { Plan, PruneNode } from "./plan.ts";

export interface DestroyInput {
  readonly inventory: Inventory;
  readonly live: ReadonlyMap<string, KubernetesObject>;
  readonly policy: InventoryPolicy;
}

/** Everything that is owned goes, dependents first. */
export function makeDestroyPlan({ inventory, live, policy }: DestroyInput): Plan {
  const nodes = new Map<string, PruneNode>();
  const leaving: KubernetesObject[] = [];
  const id = inventory.liveId ?? inventory.reference.id;
  for (const identity of inventory.parts.flatMap(({ entries }) => entries)) {
    const key = identityKey(identity);
    const object = live.get(key);
    const common = { kind: "prune" as const, identity, live: object };
    if (object === undefined) {
      nodes.set(key, {
        ...common,
        action: "forget",
        reason: "Gone",
        message: "it is gone already",
      });
      continue;
    }
    leaving.push(object);
    const ownership = ownershipOf(object, { id, formerId: inventory.reference.id }, policy);
    if (isKept(object))
      nodes.set(key, {
        ...common,
        action: "keep",
        reason: "KeepAnnotation",
        message: "its annotation asks to keep it",
      });
    else if (ownership.kind === "refused")
      nodes.set(key, { ...common, action: "skip", ...refusal(ownership.owner) });
    else nodes.set(key, { ...common, action: "delete" });
  }
  const edges = objectGraph(leaving).map((edge) => ({ ...edge, from: edge.to, to: edge.from }));
  return { nodes, graph: withoutSoftCycles(new Graph(nodes.keys(), edges)) };
}
