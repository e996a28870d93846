import { relative, sep } from "node:path";
import { ignorePatterns } from "../../images/index.ts";
import type { BuildDefinition } from "../../images/index.ts";
import type {
  CustomDeploy,
  LocalResource,
  TiltfileSettings,
} from "../../sources/tiltfile/index.ts";
import type { WatchedFiles } from "../dev-source.ts";
import { isInside } from "./file-watcher.ts";

/** Tells whether a changed file means something to somebody. */
export type Matches = (path: string) => boolean;

export function sourceMatches({ paths, isInput }: WatchedFiles): Matches {
  const exact = new Set(paths);
  return (path) =>
    exact.has(path) || (paths.some((root) => isInside(root, path)) && (isInput?.(path) ?? true));
}

export function localMatches({ dependencies, ignore, ignoreDirectory }: LocalResource): Matches {
  const isIgnored = relativePatterns(ignoreDirectory, ignore);
  return (path) => isUnder(dependencies, path) && !isIgnored(path);
}

/** Which files go into an image. */
export function buildMatches(build: BuildDefinition): Matches {
  if (build.kind === "custom") {
    const patterns = build.dependencies.map((root) => relativePatterns(root, build.ignore));
    return (path) =>
      isUnder(build.dependencies, path) && !patterns.some((isIgnored) => isIgnored(path));
  }
  const { context, dockerfile, only, ignore } = build;
  const isIgnored = relativePatterns(context, ignore);
  const file = dockerfile.kind === "file" ? dockerfile.path : undefined;
  return (path) =>
    path === file ||
    (isInside(context, path) &&
      !isIgnored(path) &&
      (only.length === 0 ||
        isUnder(
          only.map((each) => `${context}${sep}${each.replace(/\/+$/, "")}`),
          path,
        )));
}

export function deployMatches({ dependencies }: CustomDeploy): Matches {
  return (path) => isUnder(dependencies, path);
}

/** Roots that must be watched for an image. */
export function buildRoots(build: BuildDefinition): readonly string[] {
  if (build.kind === "custom") return build.dependencies;
  const { context, dockerfile } = build;
  return dockerfile.kind === "file" ? [context, dockerfile.path] : [context];
}

/** What the settings of a Tiltfile say that nobody is to care for. */
export function settingsIgnore(settings: TiltfileSettings | undefined): Matches {
  const rules = (settings?.watchIgnore ?? []).map(({ pattern, directory }) =>
    relativePatterns(directory, [pattern]),
  );
  return (path) => rules.some((isIgnored) => isIgnored(path));
}

export function isUnder(roots: readonly string[], path: string): boolean {
  return roots.some((root) => root === path || isInside(root, path));
}

function relativePatterns(folder: string, lines: readonly string[]): Matches {
  if (lines.length === 0) return () => false;
  const isIgnored = ignorePatterns(lines);
  return (path) => isInside(folder, path) && isIgnored(relative(folder, path).replaceAll(sep, "/"));
}
