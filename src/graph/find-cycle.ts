import type { Edge } from "./edge.ts";
import type { Graph } from "./graph.ts";

/** The edges of one cycle, in order, each beginning where the last ended; undefined without any. */
export function findCycle(graph: Graph): readonly Edge[] | undefined {
  const state = new Map<string, "open" | "done">();
  for (const start of graph.nodes) {
    if (state.has(start)) continue;
    const path: { readonly node: string; readonly edges: readonly Edge[]; next: number }[] = [];
    const enter = (node: string): void => {
      state.set(node, "open");
      path.push({ node, edges: graph.dependenciesOf(node), next: 0 });
    };
    enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const edge = top.edges[top.next++];
      if (edge === undefined) {
        state.set(top.node, "done");
        path.pop();
      } else if (state.get(edge.to) === "open") {
        const from = path.findIndex(({ node }) => node === edge.to);
        return path.slice(from).map(({ edges, next }) => edges[next - 1] as Edge);
      } else if (!state.has(edge.to)) {
        enter(edge.to);
      }
    }
  }
  return undefined;
}
