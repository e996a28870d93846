import { Graph, findCycle } from "../graph/index.ts";
import { type Diagnostic, DiagnosticError } from "../diagnostics/index.ts";
import type { BuildDefinition } from "./build-definition.ts";

/** A declared image with the declared images that it is built from. */
export interface OrderedBuild {
  readonly build: BuildDefinition;
  readonly bases: readonly string[];
}

/** Bases before what is built from them; a circle of them is an error that shows it. */
export function buildOrder(builds: readonly OrderedBuild[]): readonly OrderedBuild[] {
  const byReference = new Map(builds.map((each) => [each.build.reference, each]));
  const graph = new Graph(
    byReference.keys(),
    builds.flatMap(({ build, bases }) =>
      bases.map((to) => ({ from: build.reference, to, reason: "it is built from it" })),
    ),
  );
  const cycle = findCycle(graph);
  if (cycle !== undefined) throw new DiagnosticError([circle(cycle, byReference)]);
  return graph.order().flatMap((reference) => byReference.get(reference) ?? []);
}

function circle(
  cycle: readonly { readonly from: string; readonly to: string }[],
  builds: ReadonlyMap<string, OrderedBuild>,
): Diagnostic {
  const [first] = cycle;
  return {
    code: "images.cycle",
    severity: "error",
    summary: "images are built from each other in a circle",
    detail: cycle.map(({ from, to }) => `${from} is built from ${to}`).join("\n"),
    hint: "name another base image in one of their Dockerfiles",
    source: builds.get(first?.from ?? "")?.build.source,
  };
}
