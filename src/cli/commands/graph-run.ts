import { bundleScopes, isBundle } from "../../bundles/index.ts";
import { DiagnosticError } from "../../diagnostics/index.ts";
import {
  type DrawnGraph,
  type DrawnNode,
  type Edge,
  findCycle,
  Graph,
  graphText,
  withoutSoftCycles,
} from "../../graph/index.ts";
import {
  defaultNamespaces,
  identityKey,
  identityOf,
  type KubernetesObject,
  scopeLookup,
} from "../../objects/index.ts";
import { observeLive, observeRules } from "../../observe/index.ts";
import { objectGraph } from "../../plan/index.ts";
import type { ProgramGraph } from "../../resources/index.ts";
import { readinessOf } from "../../readiness/index.ts";
import type { CommandHandler } from "../command.ts";
import type { CliContext } from "../context.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { openCluster } from "../open-cluster.ts";
import { report } from "../report.ts";
import { assembleSource } from "../source/assemble-source.ts";
import { readSource, type Source } from "../source/read-source.ts";
import { drawGraph } from "../views/draw-graph.ts";
import type { GraphFlags } from "./graph.ts";
import { isDeployed } from "./live/load-package.ts";

export const runGraph: CommandHandler<GraphFlags, readonly string[]> = async (
  context,
  flags,
  ...given
) => {
  const inputs = given.length === 0 ? ["."] : given;
  const source = await readSource(context, inputs, { namespace: flags.namespace ?? "default" });
  await source.program?.close();
  if (source.diagnostics.some(({ severity }) => severity === "error"))
    throw new DiagnosticError(source.diagnostics);
  report(context, source.diagnostics, "text");
  if (source.program !== undefined) return showProgram(context, flags, source.program.graph);
  const bundles = await bundleResources(context, source);
  const objects = completeObjects(source, flags.namespace ?? "default");
  const colors = flags.live
    ? await liveColors(context, flags, objects)
    : new Map<string, DrawnNode["color"]>();
  const graph = withoutSoftCycles(
    new Graph(
      [
        ...objects.map((object) => identityKey(identityOf(object))),
        ...bundles.map(({ node }) => node.key),
      ],
      [
        ...objectGraph(objects),
        ...(await componentEdges(source, flags.namespace ?? "default")),
        ...bundles.flatMap(({ edges }) => edges),
      ],
    ),
  );
  const drawn: DrawnGraph = {
    nodes: [...objects.map((object) => nodeOf(object, colors)), ...bundles.map(({ node }) => node)],
    edges: graph.edges.map(({ from, to, reason, soft = false }) => ({ from, to, reason, soft })),
  };
  const order = findCycle(graph) === undefined ? graph.order() : graph.nodes;
  const text =
    flags.format === "text" ? graphText(drawn, order) : await drawGraph(drawn, flags.format);
  context.process.stdout.write(text);
  return exitCode.success;
};

/** The resources of bundles, each with what it waits for; the bundle itself comes after all of them. */
async function bundleResources(
  context: CliContext,
  { objects }: Source,
): Promise<readonly { readonly node: DrawnNode; readonly edges: readonly Edge[] }[]> {
  const bundles = objects.filter(({ object }) => isBundle(object));
  if (bundles.length === 0) return [];
  const { graphsOf } = await import("../source/bundle-state.ts");
  const { graphs, diagnostics } = await graphsOf(bundles, context.workingDirectory);
  if (diagnostics.length > 0) throw new DiagnosticError(diagnostics);
  return graphs.flatMap(({ resources }) =>
    resources.map(({ name, explicitId = "", providerType, edges }) => ({
      node: {
        key: name,
        label: `${providerType.slice(providerType.lastIndexOf("/") + 1)} ${explicitId}`,
        group: name.split("/").slice(0, 2).join("/"),
        color: "none",
      },
      edges: edges.map(({ to, reason }) => ({ from: name, to, reason })),
    })),
  );
}

function completeObjects(read: Source, namespace: string): readonly KubernetesObject[] {
  const scopeOf = scopeLookup({
    discovered: bundleScopes,
    objects: read.objects.map(({ object }) => object),
  });
  return defaultNamespaces(read.objects.filter(isDeployed), scopeOf, namespace)
    .objects.map(({ object }) => object)
    .filter((object) => !isBundle(object));
}

/** What the components of a Tiltfile wait for, between their workloads. */
async function componentEdges(source: Source, namespace: string): Promise<readonly Edge[]> {
  if (source.tiltfile === undefined) return [];
  const scopeOf = scopeLookup({ objects: source.objects.map(({ object }) => object) });
  const { components } = await assembleSource(source, scopeOf, namespace);
  const keysOf = new Map(
    components.map(({ name, workload, objects }) => [
      name,
      defaultNamespaces(
        workload === undefined ? objects : [workload],
        scopeOf,
        namespace,
      ).objects.map(({ object }) => identityKey(identityOf(object))),
    ]),
  );
  return components.flatMap(({ name, dependsOn }) =>
    dependsOn.flatMap((needed) =>
      (keysOf.get(name) ?? []).flatMap((from) =>
        (keysOf.get(needed) ?? []).map((to) => ({
          from,
          to,
          reason: `${name} waits for ${needed}`,
        })),
      ),
    ),
  );
}

/** The resources of a program, grouped by what allocated them. */
async function showProgram(
  context: CliContext,
  { format }: GraphFlags,
  { resources }: ProgramGraph,
): Promise<ExitCode> {
  const edges = resources.flatMap(({ name, edges: own }) =>
    own.map(({ to, reason }) => ({ from: name, to, reason, soft: false })),
  );
  const graph = new Graph(
    resources.map(({ name }) => name),
    edges,
  );
  const drawn: DrawnGraph = {
    nodes: programNodes(resources),
    edges,
  };
  const order = findCycle(graph) === undefined ? graph.order() : graph.nodes;
  context.process.stdout.write(
    format === "text" ? graphText(drawn, order) : await drawGraph(drawn, format),
  );
  return exitCode.success;
}

/** What is called the same in one place, in several modules or without ids, goes by its full name. */
function programNodes(resources: ProgramGraph["resources"]): readonly DrawnNode[] {
  const nodes = resources.map(({ name, type, explicitId, parent }) => ({
    key: name,
    kind: type.slice(type.lastIndexOf("/") + 1),
    id: explicitId,
    group: parent ?? "",
  }));
  const alike = Map.groupBy(nodes, ({ kind, id = "", group }) => `${group} ${kind} ${id}`);
  return [...alike.values()].flatMap((those) =>
    those.map(({ key, kind, id, group }) => {
      const word = those.length > 1 ? key : id;
      return { key, label: word === undefined ? kind : `${kind} ${word}`, group, color: "none" };
    }),
  );
}

function nodeOf(
  object: KubernetesObject,
  colors: ReadonlyMap<string, DrawnNode["color"]>,
): DrawnNode {
  const { kind, namespace, name } = identityOf(object);
  const key = identityKey(identityOf(object));
  return { key, label: `${kind} ${name}`, group: namespace, color: colors.get(key) ?? "none" };
}

const statusColors: Readonly<Record<string, DrawnNode["color"]>> = {
  Current: "green",
  InProgress: "yellow",
  Terminating: "yellow",
  Failed: "red",
};

async function liveColors(
  context: CliContext,
  flags: GraphFlags,
  objects: readonly KubernetesObject[],
): Promise<ReadonlyMap<string, DrawnNode["color"]>> {
  const { cluster } = await openCluster(context, flags);
  try {
    const { live } = await observeLive(
      cluster,
      objects.map((object) => ({ ...identityOf(object), apiVersion: object.apiVersion })),
    );
    const definitions = objects.filter(({ kind }) => kind === "CustomResourceDefinition");
    const rules = await observeRules(cluster, live.values(), definitions);
    return new Map(
      objects.map((object) => {
        const key = identityKey(identityOf(object));
        const found = live.get(key);
        return [
          key,
          found === undefined
            ? "grey"
            : (statusColors[readinessOf(found, { now: Date.now(), ...rules }).status] ?? "grey"),
        ];
      }),
    );
  } finally {
    await cluster.close();
  }
}
