import { type Edge, Graph, withoutSoftCycles } from "../graph/index.ts";
import type { Inventory, InventoryPolicy } from "../inventory/index.ts";
import { identityKey, type KubernetesObject, type ObjectIdentity } from "../objects/index.ts";
import { keptAmong, neededBy } from "./in-use.ts";
import { objectGraph } from "./object-graph.ts";
import type { Plan, PruneNode } from "./plan.ts";
import { ownershipIn } from "./plan-prune.ts";
import { type KnownAbsence, removalOf, uncheckedAmong } from "./removal.ts";

export interface DestroyInput {
  readonly inventory: Inventory;
  readonly live: ReadonlyMap<string, KubernetesObject>;
  /** What is known of objects that are not live. */
  readonly absence?: KnownAbsence | undefined;
  readonly policy: InventoryPolicy;
  /** Tells by identity keys what goes; everything unless given. */
  readonly only?: ((key: string) => boolean) | undefined;
}

/** Everything that is owned goes, or what of it is chosen, dependents first. */
export function makeDestroyPlan({
  inventory,
  live,
  policy,
  absence,
  only = () => true,
}: DestroyInput): Plan {
  const nodes = new Map<string, PruneNode>();
  const leaving: KubernetesObject[] = [];
  const { reference } = inventory;
  const all = inventory.parts.flatMap(({ entries }) => entries);
  const owned = all.filter((entry) => only(identityKey(entry)));
  const others = all.filter((entry) => !only(identityKey(entry)));
  const unchecked = uncheckedAmong(owned, live, absence);
  const used = neededBy(
    [...keptAmong(owned, live), ...unchecked, ...others],
    // Those that stay are remembered in it.
    others.length + unchecked.length === 0 ? [] : [reference.namespace],
  );
  for (const identity of owned) {
    const key = identityKey(identity);
    const object = live.get(key);
    if (object !== undefined) leaving.push(object);
    const ownership = ownershipIn(inventory, object, policy);
    const removal = removalOf({ identity, live: object, ownership, used, absence });
    nodes.set(key, { kind: "prune", identity, live: object, ...removal });
  }
  const edges = objectGraph(leaving).map((edge) => ({ ...edge, from: edge.to, to: edge.from }));
  const graph = new Graph(nodes.keys(), [
    ...edges,
    ...ownNamespaceLast(nodes, reference.namespace),
  ]);
  return { nodes, graph: withoutSoftCycles(graph) };
}

/** With its namespace the inventory goes too; nothing must be left that only it remembers. */
function ownNamespaceLast(
  nodes: ReadonlyMap<string, PruneNode>,
  namespace: string,
): readonly Edge[] {
  const [own] = [...nodes].find(
    ([, { identity }]) => isNamespace(identity) && identity.name === namespace,
  ) ?? [undefined];
  if (own === undefined) return [];
  return [...nodes.keys()]
    .filter((key) => key !== own)
    .map((to) => ({ from: own, to, reason: "the namespace of the inventory goes last" }));
}

function isNamespace({ group, kind }: ObjectIdentity): boolean {
  return group === "" && kind === "Namespace";
}
