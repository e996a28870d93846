import {
  assemble,
  parseImageReference,
  uncategorizedName,
  type Assembled,
  type Component,
} from "../../assembly/index.ts";
import { nearest, type Diagnostic, type DiagnosticCode } from "../../diagnostics/index.ts";
import {
  formatIdentity,
  identityKey,
  identityOf,
  scopeLookup,
  type ScopeLookup,
} from "../../objects/index.ts";
import type { TiltfileResult } from "./tiltfile-result.ts";

export interface AssembleTiltfileOptions {
  /** Where objects are that name no namespace. */
  readonly namespace: string;
  /** Tells the scope of kinds; without a cluster, the built-in ones and those of given CRDs. */
  readonly scopeOf?: ScopeLookup;
}

/**
 * The components of a Tiltfile: assembled, with its settings applied, and only those that are to
 * run. A file that stopped at an error has none, because what is missing would be reported as well.
 */
export function assembleTiltfile(
  result: TiltfileResult,
  { namespace, scopeOf }: AssembleTiltfileOptions,
): Assembled {
  if (result.ending === "failed") return { components: [], diagnostics: result.diagnostics };
  const { objects, directives, settings } = result;
  const known = scopeOf ?? scopeLookup({ objects: objects.map(({ object }) => object) });
  const assembled = assemble({
    objects,
    directives,
    effectiveNamespace: namespace,
    scopeOf: known,
  });
  const enabled = enabledComponents(assembled.components, settings.enabledComponents);
  const components = enabled.components.map((component) =>
    settings.triggerMode === undefined || component.triggerMode !== undefined
      ? component
      : { ...component, triggerMode: settings.triggerMode },
  );
  const allowed = unusedAllowed(result);
  const isIncomplete = result.diagnostics.some(({ severity }) => severity === "error");
  const diagnostics = assembled.diagnostics.filter(
    (diagnostic) => !allowed(diagnostic) && !(isIncomplete && follows.has(diagnostic.code)),
  );
  return {
    components,
    diagnostics: [
      ...result.diagnostics,
      ...diagnostics,
      ...assembled.components.flatMap(invalidImages),
      ...enabled.diagnostics,
    ],
  };
}

/** Names of images that no node could pull. An API server takes them, and the pod never starts. */
function invalidImages({ images, objects }: Component): readonly Diagnostic[] {
  return images
    .filter(({ reference }) => reference !== "" && parseImageReference(reference) === undefined)
    .map(({ reference, object, path }) => {
      const key = identityKey(object);
      const given = objects.find((each) => identityKey(identityOf(each.object)) === key);
      return {
        code: "assembly.invalid-image",
        severity: "error",
        summary: `${formatIdentity(object)}: ${JSON.stringify(reference)} is no image reference`,
        hint: "Write a repository such as registry.example.com/team/web, with a tag or digest if need be.",
        source: given?.sourceOf(path),
      };
    });
}

/** What is bound to be missed where a file could not be read or a call was refused. */
const follows: ReadonlySet<DiagnosticCode> = new Set<DiagnosticCode>([
  "assembly.unknown-dependency",
  "assembly.unknown-object",
  "assembly.unknown-workload",
  "assembly.unused-image",
]);

/**
 * Whether a diagnostic only says that an image is unused which may be: the settings say so, or a
 * custom deploy uses it, which assembly cannot see.
 */
function unusedAllowed({
  settings,
  directives,
  customDeploys,
}: TiltfileResult): (diagnostic: Diagnostic) => boolean {
  const images = directives.filter((directive) => directive.kind === "image");
  const allowed = new Set([
    ...settings.unusedImagesAllowed,
    ...customDeploys.flatMap(({ imageDependencies }) => imageDependencies),
  ]);
  const byReference = new Map(images.map((image) => [image.reference, image]));
  // The set grows while it is walked: what an image is built from is used with it.
  for (const reference of allowed) {
    for (const base of byReference.get(reference)?.baseImages ?? []) allowed.add(base);
  }
  const places = new Set(
    images
      .filter(({ reference }) => allowed.has("*") || allowed.has(reference))
      .map(({ source }) => source),
  );
  return ({ code, source }) => code === "assembly.unused-image" && places.has(source);
}

/** The components that are named, and all that they wait for. */
function enabledComponents(
  all: readonly Component[],
  names: readonly string[] | undefined,
): Assembled {
  if (names === undefined) return { components: all, diagnostics: [] };
  const byName = new Map(all.map((component) => [component.name, component]));
  const enabled = new Set([uncategorizedName]);
  const diagnostics: Diagnostic[] = [];
  const pending: string[] = [];
  for (const name of names) {
    if (byName.has(name)) pending.push(name);
    else diagnostics.push(unknownComponent(name, [...byName.keys()]));
  }
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (enabled.has(next)) continue;
    enabled.add(next);
    pending.push(...(byName.get(next)?.dependsOn ?? []));
  }
  return { components: all.filter(({ name }) => enabled.has(name)), diagnostics };
}

const mostListed = 50;

function unknownComponent(name: string, known: readonly string[]): Diagnostic {
  const near = nearest(name, known);
  const listed = known.slice(0, mostListed).join(", ");
  return {
    code: "tiltfile.unknown-component",
    severity: "error",
    summary: `there is no component ${JSON.stringify(name)} to run`,
    detail: `There ${known.length === 1 ? "is" : "are"}: ${listed}${known.length > mostListed ? ", …" : ""}`,
    ...(near === undefined ? {} : { hint: `Did you mean ${near}?` }),
  };
}
