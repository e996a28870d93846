import type { Edge } from "./edge.ts";
import { Graph } from "./graph.ts";
import { LowestFirst } from "./lowest-first.ts";
import { strongComponents } from "./strong-components.ts";

/**
 * Gives up soft edges that stand in a cycle, until none does. What remains may still have a cycle, of
 * hard edges only. The time it takes grows with the edges, not with the cycles.
 */
export function withoutSoftCycles(graph: Graph): Graph {
  if (!graph.edges.some(({ soft }) => soft === true)) return graph;
  const position = new Map(graph.nodes.map((node, index) => [node, index]));
  const inOrder = (left: string, right: string): number =>
    (position.get(left) ?? 0) - (position.get(right) ?? 0);
  const given = new Set<Edge>();
  for (const members of strongComponents(graph.nodes, (node) => graph.dependenciesOf(node)))
    if (members.length > 1 || hasOwnEdge(graph, members[0]))
      for (const edge of backwardEdges(graph, members.toSorted(inOrder))) given.add(edge);
  if (given.size === 0) return graph;
  return new Graph(
    graph.nodes,
    graph.edges.filter((edge) => !given.has(edge)),
  );
}

function hasOwnEdge(graph: Graph, node: string | undefined): boolean {
  return node !== undefined && graph.dependenciesOf(node).some(({ to }) => to === node);
}

/**
 * Puts nodes that wait for each other into an order that all hard edges agree with, and as many soft ones
 * as a look at one node after the other finds; returns the soft edges that do not.
 */
function backwardEdges(graph: Graph, nodes: readonly string[]): readonly Edge[] {
  const inside = new Set(nodes);
  const hard = strongComponents(nodes, (node) =>
    graph.dependenciesOf(node).filter(({ to, soft }) => soft !== true && inside.has(to)),
  );
  const groupOf = new Map(hard.flatMap((group, index) => group.map((node) => [node, index])));
  const edges = nodes.flatMap((node) =>
    graph
      .dependenciesOf(node)
      .filter(({ from, to }) => inside.has(to) && groupOf.get(from) !== groupOf.get(to)),
  );
  const place = placesOf(hard.length, edges, groupOf);
  return [
    ...edges.filter(
      ({ from, to, soft }) => soft === true && place(groupOf.get(to)) > place(groupOf.get(from)),
    ),
    // Between nodes that need each other a soft edge says nothing.
    ...nodes.flatMap((node) =>
      graph
        .dependenciesOf(node)
        .filter(({ from, to, soft }) => soft === true && groupOf.get(from) === groupOf.get(to)),
    ),
  ];
}

/**
 * An order of groups: the next is one that waits for nothing, else, of those that only have wishes left,
 * the one that most others need.
 */
function placesOf(
  size: number,
  edges: readonly Edge[],
  groupOf: ReadonlyMap<string, number>,
): (group: number | undefined) => number {
  const groups = Array.from({ length: size }, () => ({ needs: 0, wishes: 0, needed: 0 }));
  const dependents = Array.from({ length: size }, (): Edge[] => []);
  const group = (node: string): { needs: number; wishes: number; needed: number } =>
    groups[groupOf.get(node) ?? 0] ?? { needs: 0, wishes: 0, needed: 0 };
  for (const edge of edges) {
    dependents[groupOf.get(edge.to) ?? 0]?.push(edge);
    if (edge.soft === true) group(edge.from).wishes++;
    else {
      group(edge.from).needs++;
      group(edge.to).needed++;
    }
  }
  const byRank = [...groups.keys()].sort(
    (left, right) => (groups[right]?.needed ?? 0) - (groups[left]?.needed ?? 0) || left - right,
  );
  const rankOf = new Map(byRank.map((index, rank) => [index, rank]));
  const free: number[] = [];
  const wishing = new LowestFirst();
  const offer = (index: number): void => {
    const { needs = 0, wishes = 0 } = groups[index] ?? {};
    if (needs > 0) return;
    if (wishes === 0) free.push(index);
    else wishing.add(rankOf.get(index) ?? 0);
  };
  const place = new Map<number, number>();
  for (const index of groups.keys()) offer(index);
  for (let next = 0; place.size < size;) {
    const index = free[next] ?? byRank[wishing.take() ?? 0] ?? 0;
    if (next < free.length) next++;
    if (place.has(index)) continue;
    place.set(index, place.size);
    for (const { from, soft } of dependents[index] ?? []) {
      const waiting = group(from);
      if (soft === true) waiting.wishes--;
      else waiting.needs--;
      if (waiting.needs === 0 && (soft !== true || waiting.wishes === 0))
        offer(groupOf.get(from) ?? 0);
    }
  }
  return (index) => place.get(index ?? 0) ?? 0;
}
