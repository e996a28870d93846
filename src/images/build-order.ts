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
  const circle = buildCycle(builds);
  if (circle !== undefined) throw new DiagnosticError([circle]);
  const byReference = new Map(builds.map((each) => [each.build.reference, each]));
  return graphOf(builds)
    .order()
    .flatMap((reference) => byReference.get(reference) ?? []);
}

/** Images that are built from each other, if there are such. */
export function buildCycle(builds: readonly OrderedBuild[]): Diagnostic | undefined {
  const cycle = findCycle(graphOf(builds));
  const [first] = cycle ?? [];
  if (cycle === undefined || first === undefined) return undefined;
  return {
    code: "images.cycle",
    severity: "error",
    summary: "images are built from each other in a circle",
    detail: cycle.map(({ from, to }) => `${from} is built from ${to}`).join("\n"),
    hint: "name another base image in one of their Dockerfiles",
    source: builds.find(({ build }) => build.reference === first.from)?.build.source,
  };
}

function graphOf(builds: readonly OrderedBuild[]): Graph {
  return new Graph(
    builds.map(({ build }) => build.reference),
    builds.flatMap(({ build, bases }) =>
      bases.map((to) => ({ from: build.reference, to, reason: "it is built from it" })),
    ),
  );
}
