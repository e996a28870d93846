import { findCycle } from "./find-cycle.ts";
import { Graph } from "./graph.ts";

/**
 * Gives up the soft edges that stand in a cycle, one at a time, until none is left. What remains may
 * still have a cycle, of hard edges only.
 */
export function withoutSoftCycles(graph: Graph): Graph {
  let current = graph;
  for (let round = 0; round <= graph.edges.length; round++) {
    const soft = findCycle(current)?.find((edge) => edge.soft === true);
    if (soft === undefined) return current;
    current = new Graph(
      current.nodes,
      current.edges.filter((edge) => edge !== soft),
    );
  }
  return current;
}
