import { type Edge, Graph, withoutSoftCycles } from "../graph/index.ts";
import { type Inventory, type InventoryPolicy, ownershipOf } from "../inventory/index.ts";
import { identityKey, type KubernetesObject, type ObjectIdentity } from "../objects/index.ts";
import { inUseReason, keptAmong, neededBy } from "./in-use.ts";
import { isKept, isProtected, protection } from "./keep-annotations.ts";
import { refusal } from "./make-plan.ts";
import { objectGraph } from "./object-graph.ts";
import type { Plan, PruneNode } from "./plan.ts";
import { absent, deletion } from "./plan-prune.ts";

export interface DestroyInput {
  readonly inventory: Inventory;
  readonly live: ReadonlyMap<string, KubernetesObject>;
  /** Identity keys of what could not be looked for. */
  readonly unchecked?: ReadonlySet<string>;
  readonly policy: InventoryPolicy;
  /** Tells by identity keys what goes; everything unless given. */
  readonly only?: ((key: string) => boolean) | undefined;
}

/** Everything that is owned goes, or what of it is chosen, dependents first. */
export function makeDestroyPlan({
  inventory,
  live,
  policy,
  unchecked,
  only = () => true,
}: DestroyInput): Plan {
  const nodes = new Map<string, PruneNode>();
  const leaving: KubernetesObject[] = [];
  const { reference, formerId } = inventory;
  const all = inventory.parts.flatMap(({ entries }) => entries);
  const owned = all.filter((entry) => only(identityKey(entry)));
  const others = all.filter((entry) => !only(identityKey(entry)));
  const used = neededBy(
    [...keptAmong(owned, live), ...others],
    // Those that stay are remembered in it.
    others.length === 0 ? [] : [reference.namespace],
  );
  for (const identity of owned) {
    const key = identityKey(identity);
    const object = live.get(key);
    const common = { kind: "prune" as const, identity, live: object };
    if (object === undefined) {
      nodes.set(key, { ...common, ...absent(identity, unchecked) });
      continue;
    }
    leaving.push(object);
    const ownership = ownershipOf(object, { id: reference.id, formerId }, policy);
    const reason = inUseReason(identity, object, used);
    if (isProtected(object)) nodes.set(key, { ...common, ...protection });
    else if (isKept(object))
      nodes.set(key, {
        ...common,
        action: "keep",
        reason: "KeepAnnotation",
        message: "its annotation asks to keep it",
      });
    else if (reason !== undefined)
      nodes.set(key, {
        ...common,
        action: "skip",
        reason,
        message: `it ${reason === "NamespaceInUse" ? "holds" : "defines"} objects that stay`,
      });
    else if (ownership.kind === "refused")
      nodes.set(key, { ...common, action: "skip", ...refusal(ownership.owner) });
    else nodes.set(key, { ...common, ...deletion(identity, object) });
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
