import type { Edge } from "./edge.ts";
import { findCycle } from "./find-cycle.ts";
import { Graph } from "./graph.ts";
import { strongComponents } from "./strong-components.ts";

/** Nodes that wait for each other, and the edges of one cycle among them. */
export interface Cycle {
  readonly members: readonly string[];
  readonly edges: readonly Edge[];
}

/** All groups of nodes that wait for each other, and the graph without the edges inside of these. */
export function cyclesOf(graph: Graph): {
  readonly cycles: readonly Cycle[];
  readonly opened: Graph;
} {
  const groupOf = new Map<string, number>();
  const cycles: Cycle[] = [];
  for (const members of strongComponents(graph.nodes, (node) => graph.dependenciesOf(node))) {
    const inside = new Set(members);
    const own = members.flatMap((node) =>
      graph.dependenciesOf(node).filter(({ to }) => inside.has(to)),
    );
    const edges = own.length === 0 ? undefined : findCycle(new Graph(members, own));
    if (edges === undefined) continue;
    for (const member of members) groupOf.set(member, cycles.length);
    cycles.push({ members, edges });
  }
  if (cycles.length === 0) return { cycles, opened: graph };
  const isInside = ({ from, to }: Edge): boolean =>
    groupOf.has(from) && groupOf.get(from) === groupOf.get(to);
  return {
    cycles,
    opened: new Graph(
      graph.nodes,
      graph.edges.filter((edge) => !isInside(edge)),
    ),
  };
}
