import type { Edge } from "./edge.ts";

/** Nodes and what each of them waits for. Made once, never changed. */
export class Graph {
  readonly nodes: readonly string[];
  readonly edges: readonly Edge[];
  readonly #dependencies = new Map<string, Edge[]>();
  readonly #dependents = new Map<string, Edge[]>();

  /** Edges to or from nodes that are not there are left out, and so are repeated ones. */
  constructor(nodes: Iterable<string>, edges: Iterable<Edge>) {
    this.nodes = [...new Set(nodes)];
    for (const node of this.nodes) {
      this.#dependencies.set(node, []);
      this.#dependents.set(node, []);
    }
    const kept = new Map<string, Edge>();
    for (const edge of edges) {
      const key = `${edge.from}\u0000${edge.to}`;
      const known = kept.get(key);
      const isNeeded = known === undefined || (known.soft === true && edge.soft !== true);
      if (isNeeded && this.#dependencies.has(edge.from) && this.#dependencies.has(edge.to)) {
        kept.set(key, edge);
      }
    }
    this.edges = [...kept.values()];
    for (const edge of this.edges) {
      this.#dependencies.get(edge.from)?.push(edge);
      this.#dependents.get(edge.to)?.push(edge);
    }
  }

  /** What a node waits for. */
  dependenciesOf(node: string): readonly Edge[] {
    return this.#dependencies.get(node) ?? [];
  }

  /** What waits for a node. */
  dependentsOf(node: string): readonly Edge[] {
    return this.#dependents.get(node) ?? [];
  }

  /** The same nodes with every edge the other way round: the order of taking down. */
  reversed(): Graph {
    return new Graph(
      this.nodes,
      this.edges.map((edge) => ({ ...edge, from: edge.to, to: edge.from })),
    );
  }

  /** Every node after all that it waits for, otherwise in the order given; throws on a cycle. */
  order(): readonly string[] {
    const waiting = new Map(this.nodes.map((node) => [node, this.dependenciesOf(node).length]));
    const ready = this.nodes.filter((node) => waiting.get(node) === 0);
    const ordered: string[] = [];
    for (let index = 0; index < ready.length; index++) {
      const node = ready[index] ?? "";
      ordered.push(node);
      for (const { from } of this.dependentsOf(node)) {
        const left = (waiting.get(from) ?? 0) - 1;
        waiting.set(from, left);
        if (left === 0) ready.push(from);
      }
    }
    if (ordered.length < this.nodes.length) throw new Error("the graph has a cycle");
    return ordered;
  }
}
