import type { Diagnostic } from "../../diagnostics/index.ts";
import { formatIdentity, identityOf, type SourcedObject } from "../../objects/index.ts";
import { readBundle } from "../../bundles/index.ts";

/** Everything that is wrong with bundles, their plugins and examples included. */
export async function bundleProblems(
  bundles: readonly SourcedObject[],
  { workingDirectory, runsPlugins }: BundleProblemsOptions,
): Promise<readonly Diagnostic[]> {
  const { graphsOf } = await import("./bundle-state.ts");
  const withPlugins = runsPlugins ? [] : bundles.filter(hasPlugin);
  const others = bundles.filter((each) => !withPlugins.includes(each));
  const { diagnostics } = await graphsOf(others, workingDirectory);
  return [...diagnostics, ...withPlugins.flatMap(inspectBundle)];
}

interface BundleProblemsOptions {
  /** Where the plugins of a bundle from standard input are looked for. */
  readonly workingDirectory: string;
  /** Without them, what plugins make is not known. */
  readonly runsPlugins: boolean;
}

function hasPlugin({ object, sourceOf }: SourcedObject): boolean {
  const { resources } = readBundle(object, sourceOf).bundle;
  return resources.some(({ target }) => target.kind === "plugin");
}

function inspectBundle({ object, sourceOf }: SourcedObject): readonly Diagnostic[] {
  return [
    ...readBundle(object, sourceOf).diagnostics,
    {
      code: "check.not-run",
      severity: "warning",
      summary: `the plugins of ${formatIdentity(identityOf(object))} were not run: the objects that they make are not known`,
      source: sourceOf([]),
    },
  ];
}
