import type { Edge } from "./edge.ts";

/**
 * The groups of nodes that wait for each other, each after all that it waits for. A node that is in no
 * cycle is a group of its own. One walk over the graph, however many cycles it has.
 */
export function strongComponents(
  nodes: readonly string[],
  dependenciesOf: (node: string) => readonly Edge[],
): readonly (readonly string[])[] {
  const numbers = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open = new Set<string>();
  const stack: string[] = [];
  const components: string[][] = [];
  for (const start of nodes) {
    if (numbers.has(start)) continue;
    const path: { readonly node: string; readonly edges: readonly Edge[]; next: number }[] = [];
    const enter = (node: string): void => {
      numbers.set(node, numbers.size);
      lowest.set(node, numbers.get(node) ?? 0);
      open.add(node);
      stack.push(node);
      path.push({ node, edges: dependenciesOf(node), next: 0 });
    };
    const lower = (node: string, to: number): void => {
      lowest.set(node, Math.min(lowest.get(node) ?? to, to));
    };
    enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const edge = top.edges[top.next++];
      if (edge === undefined) {
        const { node } = top;
        path.pop();
        const parent = path.at(-1);
        const reached = lowest.get(node) ?? 0;
        if (parent !== undefined) lower(parent.node, reached);
        if (reached === numbers.get(node)) components.push(takeFrom(stack, open, node));
      } else if (!numbers.has(edge.to)) {
        enter(edge.to);
      } else if (open.has(edge.to)) {
        lower(top.node, numbers.get(edge.to) ?? 0);
      }
    }
  }
  return components;
}

/** All that was put on the stack since a node, and the node itself. */
function takeFrom(stack: string[], open: Set<string>, node: string): string[] {
  const component = stack.splice(stack.lastIndexOf(node));
  for (const member of component) open.delete(member);
  return component;
}
