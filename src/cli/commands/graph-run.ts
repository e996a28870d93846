import { DiagnosticError } from "../../diagnostics/index.ts";
import { closeSource, draftState, graph, isDeployed, readSource } from "../../engine/index.ts";
import { type DrawnGraph, type DrawnNode, findCycle, graphText } from "../../graph/index.ts";
import { identityKey, identityOf, type KubernetesObject } from "../../objects/index.ts";
import { observeLive, observeRules } from "../../observe/index.ts";
import { readinessOf } from "../../readiness/index.ts";
import type { CommandHandler } from "../command.ts";
import type { CliContext } from "../context.ts";
import { exitCode } from "../exit-code.ts";
import { hostOf } from "../host-of.ts";
import { clusterInView, openCluster } from "../open-cluster.ts";
import { report } from "../report.ts";
import { drawGraph } from "../views/draw-graph.ts";
import type { GraphFlags } from "./graph.ts";

export const runGraph: CommandHandler<GraphFlags, readonly string[]> = async (
  context,
  flags,
  ...given
) => {
  const host = hostOf(context);
  const inView = await clusterInView(context, flags);
  const { namespace } = inView;
  const read = await readSource(host, given.length === 0 ? ["."] : given, {
    ...inView,
    announcesCommands: true,
  });
  await closeSource(read);
  if (read.diagnostics.some(({ severity }) => severity === "error"))
    throw new DiagnosticError(read.diagnostics);
  report(context, read.diagnostics, "text");
  const source = { ...read, objects: read.objects.filter(isDeployed) };
  const state = await draftState(host, source, namespace);
  const { drawn, graph: made } = graph(state);
  const shown = flags.live
    ? withColors(
        drawn,
        await liveColors(
          context,
          flags,
          state.objects.map(({ object }) => object),
        ),
      )
    : drawn;
  const order = findCycle(made) === undefined ? made.order() : made.nodes;
  context.process.stdout.write(
    flags.format === "text" ? graphText(shown, order) : await drawGraph(shown, flags.format),
  );
  return exitCode.success;
};

function withColors(
  { nodes, edges }: DrawnGraph,
  colors: ReadonlyMap<string, DrawnNode["color"]>,
): DrawnGraph {
  return {
    edges,
    nodes: nodes.map((node) => ({ ...node, color: colors.get(node.key) ?? node.color })),
  };
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
