import type { Diagnostic } from "../diagnostics/index.ts";
import { type DrawnGraph, type DrawnNode, Graph, withoutSoftCycles } from "../graph/index.ts";
import { identityKey, identityOf, type SourcedObject } from "../objects/index.ts";
import {
  chartsOf,
  desiredGraph,
  type OrderedComponent,
  type ProgramDesired,
} from "../plan/index.ts";
import type { ProgramResource } from "../resources/index.ts";

/** What of desired state makes its graph. */
export interface GraphedState {
  readonly objects: readonly SourcedObject[];
  /** What is doubtful and stops nothing. */
  readonly warnings?: readonly Diagnostic[];
  readonly components: readonly OrderedComponent[];
  readonly program?: { readonly desired: ProgramDesired } | undefined;
}

/** A graph to be drawn, and an order in which it could be applied. */
export interface StateGraph {
  readonly drawn: DrawnGraph;
  readonly graph: Graph;
}

/** Which objects of desired state wait for which, as a run has it. */
export function graph({ objects, components, program }: GraphedState): StateGraph {
  const own = objects.map(({ object }) => object);
  const { barriers, edges } = desiredGraph(own, components, program?.desired, chartsOf(objects));
  const keys = own.map((object) => identityKey(identityOf(object)));
  const made = withoutSoftCycles(new Graph([...keys, ...barriers.keys()], edges));
  const resources = program?.desired.resources ?? new Map<string, ProgramResource>();
  return {
    graph: made,
    drawn: {
      nodes: nodesOf(objects, barriers, resources),
      edges: made.edges.map(({ from, to, reason, soft = false }) => ({ from, to, reason, soft })),
    },
  };
}

interface NamedNode {
  readonly key: string;
  readonly kind: string;
  readonly id: string | undefined;
  readonly group: string;
  readonly fullName: string;
}

/** Objects by kind and name, resources of a program by what they are called in it, components by their names. */
function nodesOf(
  objects: readonly SourcedObject[],
  barriers: ReadonlyMap<string, string>,
  resources: ReadonlyMap<string, ProgramResource>,
): readonly DrawnNode[] {
  const named = (key: string, known: Omit<NamedNode, "key">): NamedNode => {
    const resource = resources.get(key);
    if (resource === undefined) return { key, ...known };
    const { type, explicitId, parent = "", name } = resource;
    const kind = type.slice(type.lastIndexOf("/") + 1);
    return { key, kind, id: explicitId, group: parent, fullName: name };
  };
  const nodes = [
    ...objects.map(({ object }) => {
      const { kind, namespace, name } = identityOf(object);
      const key = identityKey(identityOf(object));
      return named(key, { kind, id: name, group: namespace, fullName: name });
    }),
    ...[...barriers].map(([key, name]) =>
      named(key, { kind: "component", id: name, group: "", fullName: name }),
    ),
  ];
  // What is called the same in one place goes by its full name.
  const placed = ({ kind, id = "", group }: NamedNode): string => `${group} ${kind} ${id}`;
  const alike = Map.groupBy(nodes, placed);
  return nodes.map((node): DrawnNode => {
    const { key, kind, id, group, fullName } = node;
    const word = (alike.get(placed(node))?.length ?? 1) > 1 ? fullName : id;
    return { key, label: word === undefined ? kind : `${kind} ${word}`, group, color: "none" };
  });
}
