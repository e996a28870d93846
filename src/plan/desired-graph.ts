import type { Edge } from "../graph/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import { type Chart, hookEdges } from "./chart.ts";
import { componentOrder, type OrderedComponent } from "./component-order.ts";
import { objectGraph } from "./object-graph.ts";
import type { ProgramDesired } from "./program-desired.ts";

/** Who waits for whom among desired objects, whatever they were written in. */
export interface DesiredGraph {
  /** Nodes that are no objects, by key: components and composites as a whole, with their names. */
  readonly barriers: ReadonlyMap<string, string>;
  readonly edges: readonly Edge[];
}

/** The one graph that is drawn, planned and run. */
export function desiredGraph(
  objects: readonly KubernetesObject[],
  components: readonly OrderedComponent[],
  program?: Pick<ProgramDesired, "barriers" | "edges">,
  charts: readonly Chart[] = [],
): DesiredGraph {
  // What a program says has better reasons than what its objects remember of it.
  const known = [...(program?.edges ?? []), ...objectGraph(objects), ...hookEdges(charts)];
  const order = componentOrder(components, known);
  return {
    barriers: new Map([...order.barriers, ...(program?.barriers ?? [])]),
    edges: [...known, ...order.edges],
  };
}
