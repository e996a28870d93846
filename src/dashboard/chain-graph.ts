import { identityOf } from "../objects/index.ts";
import type { ChainWorld, WorldOwner } from "./chain-world.ts";
import type { GraphEdge, GraphNode } from "./dashboard-view.ts";

export type PlacelessNode = Omit<GraphNode, "x" | "y" | "width" | "height">;
export type PlacelessEdge = Omit<GraphEdge, "path">;

/** Owners and what was stamped for them, one group for each step. */
export function chainGraph({ owners }: ChainWorld): {
  readonly nodes: readonly PlacelessNode[];
  readonly edges: readonly PlacelessEdge[];
} {
  const nodes = new Map<string, PlacelessNode>();
  const add = (node: PlacelessNode): void => {
    if (!nodes.has(node.key)) nodes.set(node.key, node);
  };
  for (const { key: owner, object, steps } of owners)
    for (const { name, stamped } of steps)
      if (stamped !== undefined) {
        const { kind, name: objectName } = identityOf(stamped.object);
        const group = `${object.metadata.name ?? ""}: ${name}`;
        add({
          key: stamped.key,
          component: `${owner} ${name}`,
          group,
          owner,
          kind,
          name: objectName,
        });
      }
  for (const { key, object } of owners) {
    const { kind, name } = identityOf(object);
    add({ key, component: key, group: "", owner: key, kind, name });
  }
  return { nodes: [...nodes.values()], edges: owners.flatMap(edgesOf) };
}

/** Each object comes after those whose outputs it takes; those that take none come after the owner. */
function edgesOf(owner: WorldOwner): readonly PlacelessEdge[] {
  return owner.steps.flatMap(({ name, takes, stamped }) => {
    if (stamped === undefined) return [];
    const sources = new Map(takes.flatMap((step) => stampedBehind(owner, step, new Set([name]))));
    if (sources.size === 0)
      sources.set(owner.key, `${owner.object.kind} ${owner.object.metadata.name ?? ""}`);
    return [...sources]
      .filter(([to]) => to !== stamped.key)
      .map(([to, from]) => ({
        from: stamped.key,
        to,
        reason: `step ${name} takes from ${from}`,
        soft: false,
      }));
  });
}

/** The objects of a step; of what it takes, when it only passes that through. */
function stampedBehind(
  owner: WorldOwner,
  name: string,
  seen: Set<string>,
): readonly (readonly [key: string, step: string])[] {
  if (seen.has(name)) return [];
  seen.add(name);
  const step = owner.steps.find((each) => each.name === name);
  if (step?.stamped !== undefined) return [[step.stamped.key, name]];
  return (step?.takes ?? []).flatMap((each) => stampedBehind(owner, each, seen));
}
