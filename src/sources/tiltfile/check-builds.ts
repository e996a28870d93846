import { isAbsolute, relative } from "node:path";
import { DeclaredImages } from "../../assembly/index.ts";
import { buildCycle, type BuildDefinition, type LiveUpdateStep } from "../../images/index.ts";
import type { TiltfileState } from "./tiltfile-state.ts";

/** Reports what is wrong with builds and can only be told when all of them are known. */
export function checkBuilds(state: TiltfileState): void {
  const declared = new DeclaredImages(state.directives);
  const definitions = new Map(state.builds.map((build) => [build.reference, build]));
  const find = (reference: string): BuildDefinition | undefined =>
    definitions.get(declared.find(reference)?.reference ?? "");
  const bases = (build: BuildDefinition): readonly BuildDefinition[] =>
    basesOf(state, build).flatMap((base) => find(base) ?? []);
  const circle = buildCycle(
    state.builds.map((build) => ({
      build,
      bases: bases(build).map(({ reference }) => reference),
    })),
  );
  if (circle !== undefined) state.diagnostics.push(circle);
  for (const build of state.builds) {
    reportMissing(state, build, find);
    if (build.liveUpdate.length > 0) reportStray(state, build, watchedOf(build, bases));
  }
  for (const { name, imageDependencies, source } of state.customDeploys) {
    for (const missing of imageDependencies.filter((reference) => find(reference) === undefined))
      reportNotBuilt(state, `the component "${name}"`, missing, source);
  }
}

type Find = (reference: string) => BuildDefinition | undefined;

/** Images that a command is said to need must be built here; what a Dockerfile starts from need not. */
function reportMissing(state: TiltfileState, build: BuildDefinition, find: Find): void {
  if (build.kind !== "custom") return;
  for (const missing of build.imageDependencies.filter((each) => find(each) === undefined))
    reportNotBuilt(state, `the image "${build.reference}"`, missing, build.source);
}

function reportNotBuilt(
  state: TiltfileState,
  what: string,
  missing: string,
  source: BuildDefinition["source"],
): void {
  state.diagnostics.push({
    code: "tiltfile.missing-image",
    severity: "error",
    summary: `${what} depends on the image "${missing}", which nothing builds`,
    hint: `Declare "${missing}" with docker_build or custom_build, or take it out of image_deps.`,
    source,
  });
}

function reportStray(
  state: TiltfileState,
  build: BuildDefinition,
  watched: readonly string[],
): void {
  const stray = build.liveUpdate
    .flatMap(pathsOf)
    .find((path) => !watched.some((root) => isInside(root, path)));
  if (stray === undefined) return;
  state.diagnostics.push({
    code: "tiltfile.live-update",
    severity: "error",
    summary: `the live_update of "${build.reference}" names ${state.displayPath(stray)}, which is in no watched path`,
    detail: `Watched are ${watched.map((path) => state.displayPath(path)).join(", ")}.`,
    hint: "Name a path inside of the build context, or of the dependencies.",
    source: build.source,
  });
}

function pathsOf(step: LiveUpdateStep): readonly string[] {
  return step.kind === "sync" ? [step.localPath] : step.kind === "fall-back-on" ? step.paths : [];
}

/** What a build watches, with the images that it is made from. */
function watchedOf(
  build: BuildDefinition,
  bases: (build: BuildDefinition) => readonly BuildDefinition[],
): readonly string[] {
  const seen = new Set<BuildDefinition>([build]);
  // The set grows while it is gone through.
  for (const each of seen) for (const base of bases(each)) seen.add(base);
  return [...seen].flatMap((each) => (each.kind === "docker" ? [each.context] : each.dependencies));
}

/** The images that an image is made from, built here or not. */
function basesOf(state: TiltfileState, { reference }: BuildDefinition): readonly string[] {
  const directive = state.directives.find(
    (each) => each.kind === "image" && each.reference === reference,
  );
  return directive?.kind === "image" ? (directive.baseImages ?? []) : [];
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || (way !== ".." && !way.startsWith("../") && !isAbsolute(way));
}
