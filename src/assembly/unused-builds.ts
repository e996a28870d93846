import type { Diagnostic } from "../diagnostics/index.ts";
import type { ImageDirective } from "./directive.ts";
import type { DeclaredImages } from "./declared-images.ts";
import { Suggestions } from "./suggestions.ts";

const mostNear = 3;

/** Warns of builds that nothing uses, neither an object nor a build that is used. */
export function unusedBuilds(
  builds: DeclaredImages,
  usedByObjects: ReadonlySet<ImageDirective>,
  references: ReadonlySet<string>,
): readonly Diagnostic[] {
  const used = new Set(usedByObjects);
  // The set grows while it is walked: base images of base images are used too.
  for (const { baseImages = [] } of used) {
    for (const base of baseImages) {
      const build = builds.find(base);
      if (build !== undefined) used.add(build);
    }
  }
  const suggestions = new Suggestions();
  const repositories = new Set([...references].map(withoutTag));
  const byLastName = Map.groupBy(repositories, lastName);
  return [...builds.all]
    .filter((build) => !used.has(build))
    .map(({ reference, source }) => {
      const repository = withoutTag(reference);
      const near = [
        ...new Set([
          ...(byLastName.get(lastName(repository)) ?? []),
          ...suggestions.near(repository, repositories, mostNear),
        ]),
      ].slice(0, mostNear);
      return {
        code: "assembly.unused-image",
        severity: "warning",
        summary: `the image "${reference}" is built, but nothing uses it`,
        hint:
          near.length === 0
            ? "Name it in an object, or remove the build."
            : `Did you mean ${near.map((name) => `"${name}"`).join(" or ")}?`,
        source,
      } satisfies Diagnostic;
    });
}

/** The repository as it is written. */
function withoutTag(reference: string): string {
  const named = reference.split("@", 1)[0] ?? "";
  const colon = named.indexOf(":", named.lastIndexOf("/") + 1);
  return colon === -1 ? named : named.slice(0, colon);
}

function lastName(repository: string): string {
  return repository.slice(repository.lastIndexOf("/") + 1);
}
