import { type DrawnGraph, Graph, graphDot, withoutSoftCycles } from "../graph/index.ts";
import { identityOf, type KubernetesObject } from "../objects/index.ts";
import { objectGraph } from "../plan/index.ts";
import { chainGraph, type PlacelessEdge, type PlacelessNode } from "./chain-graph.ts";
import type { GraphLayout } from "./dashboard-view.ts";
import { LayoutThread } from "./layout-thread.ts";
import type { DashboardWorld } from "./world.ts";

/** Drawn points to an inch of the layout. */
const scale = 72;

/** Lays out graphs; one whose nodes and edges have not changed is not laid out again. */
export class GraphLayouts {
  readonly #thread = new LayoutThread();
  #dot = "";
  #layout: Promise<GraphLayout> | undefined;

  of({ components, chains }: DashboardWorld): Promise<GraphLayout> {
    const members = components.flatMap((component) =>
      component.objects.map(({ key, object }) => ({ key, object, component: component.key })),
    );
    const graph = withoutSoftCycles(
      new Graph(
        [...new Set(members.map(({ key }) => key))],
        objectGraph(members.map(({ object }) => object)),
      ),
    );
    const crowded = crowdedNamespaces(members);
    const own = graph.edges
      .filter(({ to }) => !crowded.has(to))
      .map(({ from, to, reason, soft = false }) => ({ from, to, reason, soft }));
    const unique = new Map(members.map((member) => [member.key, member]));
    const stamped = chainGraph(chains);
    const nodes: readonly PlacelessNode[] = [
      // What was stamped is drawn by its step, whatever component it is part of.
      ...new Map([
        ...[...unique.values()].map(({ key, object, component }) => {
          const { kind, name } = identityOf(object);
          return [key, { key, component, kind, name }] as const;
        }),
        ...stamped.nodes
          .filter(({ key, group }) => group !== "" || !unique.has(key))
          .map((node) => [node.key, node] as const),
      ]).values(),
    ];
    const edges = uniqueEdges([...own, ...componentEdges(components), ...stamped.edges]);
    const dot = packed({
      nodes: nodes.map(({ key, component, kind, name }) => ({
        key,
        // The longer of the two lines that are drawn decides how wide it is.
        label: `${kind.length > name.length ? kind : name}\nx`,
        group: component,
        color: "none",
      })),
      edges,
    });
    if (this.#layout !== undefined && this.#dot === dot) return this.#layout;
    const layout = this.#thread.plain(dot).then((plain) => readPlain(plain, nodes, edges));
    // Whoever asks while it is drawn waits for the same; one that failed is tried again.
    layout.catch(() => {
      if (this.#layout === layout) this.#layout = undefined;
    });
    this.#dot = dot;
    this.#layout = layout;
    return layout;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

/** What components wait for, between what runs in them: the run has a node for each component as a whole. */
function componentEdges(components: DashboardWorld["components"]): readonly PlacelessEdge[] {
  const keysOf = new Map(
    components.map(({ inventory, name, workload, objects }) => [
      `${inventory.key}/${name}`,
      objects.filter(({ object }) => workload === undefined || object === workload),
    ]),
  );
  return components.flatMap(({ inventory, name, waitsFor = [] }) =>
    waitsFor.flatMap((needed) =>
      (keysOf.get(`${inventory.key}/${name}`) ?? []).flatMap(({ key: from }) =>
        (keysOf.get(`${inventory.key}/${needed}`) ?? []).map(({ key: to }) => ({
          from,
          to,
          reason: `${name} waits for ${needed}`,
          soft: false,
        })),
      ),
    ),
  );
}

/** More objects than this in a namespace would be one knot around it. */
const mostInNamespace = 40;

/** The keys of Namespaces whose edges are not drawn. */
function crowdedNamespaces(
  members: readonly { readonly key: string; readonly object: KubernetesObject }[],
): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { object } of members) {
    const { namespace = "" } = object.metadata;
    counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
  }
  return new Set(
    members
      .filter(
        ({ object: { kind, metadata } }) =>
          kind === "Namespace" && (counts.get(metadata.name ?? "") ?? 0) > mostInNamespace,
      )
      .map(({ key }) => key),
  );
}

/** What is not connected is laid out by itself and put side by side, not one below the other. */
function packed(graph: DrawnGraph): string {
  return graphDot(graph).replace("{\n", '{\n  pack="true"; packmode="array";\n');
}

/** Two nodes may be joined for several reasons, and are drawn joined once. */
function uniqueEdges(edges: readonly PlacelessEdge[]): readonly PlacelessEdge[] {
  return [...new Map(edges.map((edge) => [`${edge.from} ${edge.to}`, edge])).values()];
}

/** The plain output of Graphviz: lines of words, inches, from the bottom upwards. */
function readPlain(
  plain: string,
  nodes: readonly PlacelessNode[],
  edges: readonly PlacelessEdge[],
): GraphLayout {
  const lines = plain.split("\n").map((line) => line.split(" "));
  const [, , width = 0, height = 0] = lines[0]?.map(Number) ?? [];
  const places = new Map(
    lines
      .filter(([word]) => word === "node")
      .map(([, id = "", ...rest]) => [id, rest.slice(0, 4).map(Number)]),
  );
  const paths = new Map(
    lines
      .filter(([word]) => word === "edge")
      .map(([, from = "", to = "", count = "0", ...rest]) => [
        `${from} ${to}`,
        pathOf(rest.slice(0, Number(count) * 2).map(Number), height),
      ]),
  );
  const ids = new Map(nodes.map(({ key }, index) => [key, `n${index}`]));
  const idOf = (key: string): string => ids.get(key) ?? "";
  return {
    width: width * scale,
    height: height * scale,
    nodes: nodes.map((node) => {
      const [x = 0, y = 0, w = 0, h = 0] = places.get(idOf(node.key)) ?? [];
      return {
        ...node,
        x: round(x - w / 2),
        y: round(height - y - h / 2),
        width: round(w),
        height: round(h),
      };
    }),
    edges: edges.map((edge) => ({
      ...edge,
      path: paths.get(`${idOf(edge.from)} ${idOf(edge.to)}`) ?? "",
    })),
  };
}

function pathOf(numbers: readonly number[], height: number): string {
  const points = numbers.flatMap((x, index) =>
    index % 2 === 0 ? [`${round(x)},${round(height - (numbers[index + 1] ?? 0))}`] : [],
  );
  const [first = "0,0", ...rest] = points;
  return `M${first}C${rest.join(" ")}`;
}

function round(inches: number): number {
  return Math.round(inches * scale * 10) / 10;
}
