import { isBundle } from "../bundles/index.ts";
import { type Diagnostic, DiagnosticError } from "../diagnostics/index.ts";
import {
  defaultNamespaces,
  duplicateObjects,
  generatedNames,
  identityKey,
  identityOf,
  type KnownScope,
  scopeLookup,
  type SourcedObject,
  splitApiVersion,
} from "../objects/index.ts";
import { schemasOfDefinitions } from "../observe/index.ts";
import { diagnoseInput, diagnoseOrder, holesOf } from "../plan/index.ts";
import { diagnoseRules } from "../readiness/index.ts";
import { builtinSchemas, type Schema } from "../schema/index.ts";
import { bundleProblems } from "./desired/bundle-problems.ts";
import { draftState } from "./desired/desired-state.ts";
import type { GraphedState } from "./graph.ts";
import type { EngineHost } from "./host.ts";
import type { Source } from "./source/read-source.ts";

/** What was checked, and everything that is wrong with it. */
export interface CheckedSource {
  /** The objects of the source, with their namespaces. */
  readonly objects: readonly SourcedObject[];
  readonly diagnostics: readonly Diagnostic[];
}

interface CheckOptions {
  readonly namespace: string;
  /** Kinds that a cluster serves, if one was asked. */
  readonly discovered: readonly KnownScope[];
  /** Whether plugins of bundles may run; what they make is not known otherwise. */
  readonly runsPlugins: boolean;
}

/** What a plan would hold against a source, as far as it follows from the source alone, in the same words. */
export async function checkSource(
  host: EngineHost,
  source: Source,
  options: CheckOptions,
): Promise<CheckedSource> {
  const { discovered, namespace } = options;
  const scopeOf = scopeLookup({ discovered, objects: source.objects.map(({ object }) => object) });
  const { objects, diagnostics } = defaultNamespaces(source.objects, scopeOf, namespace);
  const problems = [
    ...duplicateObjects(objects),
    ...generatedNames(objects),
    ...diagnoseRules(objects),
  ];
  const found = [
    ...source.diagnostics,
    ...diagnostics,
    ...problems.map(({ diagnostic }) => diagnostic),
    ...diagnoseInput(objects, knownSchemas(objects)),
    ...(await ofDraft(host, source, options, new Set(objects.map(keyOf)))),
  ];
  return { objects, diagnostics: withoutRepeats(found) };
}

/** What is wrong once components, bundles and programs have become objects that wait for each other. */
async function ofDraft(
  host: EngineHost,
  source: Source,
  { namespace, discovered, runsPlugins }: CheckOptions,
  /** The objects that were validated as they are written. */
  validated: ReadonlySet<string>,
): Promise<readonly Diagnostic[]> {
  const isPart = source.kind !== "objects" && source.diagnostics.some(isError);
  if (isPart) return [];
  const [known, apart] = runsPlugins ? [source, []] : withoutBundles(source);
  const { workingDirectory } = host;
  const ofBundles = await bundleProblems(apart, { workingDirectory, runsPlugins });
  try {
    const state = await draftState(host, known, namespace, discovered);
    const { objects, components, program, warnings = [] } = state;
    return [
      ...ofBundles,
      ...warnings,
      ...diagnoseOrder({ objects, components, program: program?.desired }),
      ...diagnoseInput(
        completeObjects(state).filter((each) => !validated.has(keyOf(each))),
        knownSchemas(objects),
      ),
    ];
  } catch (error) {
    if (error instanceof DiagnosticError) return [...ofBundles, ...error.diagnostics];
    throw error;
  }
}

function withoutBundles(source: Source): readonly [Source, readonly SourcedObject[]] {
  const { true: bundles = [], false: others = [] } = Object.groupBy(source.objects, ({ object }) =>
    isBundle(object) ? "true" : "false",
  );
  return [{ ...source, objects: others }, bundles];
}

function keyOf({ object }: SourcedObject): string {
  return identityKey(identityOf(object));
}

/** Those that have no values which are known only later. */
function completeObjects({ objects, program }: GraphedState): readonly SourcedObject[] {
  const keyOf = program?.desired.keyOf;
  return objects.filter(
    ({ object }) => holesOf(object, { keyOf, isKnown: () => true }).length === 0,
  );
}

/** The bundled schemas, and those of definitions in the input. */
function knownSchemas(
  objects: readonly SourcedObject[],
): (apiVersion: string, kind: string) => Schema | undefined {
  const defined = schemasOfDefinitions(objects.map(({ object }) => object));
  return (apiVersion, kind) =>
    builtinSchemas().get({ ...splitApiVersion(apiVersion), kind }) ??
    defined.get(`${apiVersion} ${kind}`);
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

/** What a source says of itself is found once more in what became of it. */
function withoutRepeats(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const textOf = ({ code, summary, source }: Diagnostic): string =>
    JSON.stringify([code, summary, source?.file, source?.start]);
  return [...new Map(diagnostics.map((each) => [textOf(each), each] as const)).values()];
}
