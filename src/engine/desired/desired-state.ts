import { dirname } from "node:path";
import { type Component, injectImages } from "../../assembly/index.ts";
import { bundleScopes, isBundle } from "../../bundles/index.ts";
import type { Cluster } from "../../cluster/index.ts";
import { type Diagnostic, DiagnosticError } from "../../diagnostics/index.ts";
import { type GroupReference, knownInventory } from "../../inventory/index.ts";
import { overrideEntrypoints } from "../../images/index.ts";
import {
  defaultNamespaces,
  duplicateObjects,
  generatedNames,
  groupOf,
  identityKey,
  identityOf,
  type KnownScope,
  type KubernetesObject,
  type ObjectProblem,
  scopeLookup,
  type ScopeLookup,
  type SourcedObject,
} from "../../objects/index.ts";
import {
  type ClusterReads,
  type RecordedResource,
  recordedResources,
  resourcesServing,
} from "../../observe/index.ts";
import {
  looksRenamed,
  type OrderedComponent,
  type ProgramDesired,
  programDesired,
} from "../../plan/index.ts";
import { diagnoseRules } from "../../readiness/index.ts";
import type { ProgramGraph } from "../../resources/index.ts";
import type { GraphedState } from "../graph.ts";
import type { EngineHost } from "../host.ts";
import { assembleSource } from "../source/assemble-source.ts";
import {
  closeSource,
  type ObjectsSource,
  type ProgramSource,
  type Source,
  type TiltfileSource,
} from "../source/read-source.ts";
import type {
  Desired,
  DesiredObjects,
  DesiredProgram,
  DesiredTiltfile,
  ImageBuilder,
} from "./desired.ts";
import { resourceHash } from "./resource-hash.ts";
import { type BuildingOptions, SourceImages } from "./source-images.ts";

interface DesiredOptions {
  /** Without it images are only named, not built. */
  readonly building?: BuildingOptions | undefined;
  /** What has been read for the plan that follows. */
  readonly reads?: ClusterReads | undefined;
}

/** Assembles, names images, fills in namespaces and refuses contradictions; a program that fails here is ended. */
export async function desiredState(
  host: EngineHost,
  cluster: Cluster,
  source: Source,
  namespace: string,
  group: GroupReference,
  options: DesiredOptions = {},
): Promise<Desired> {
  try {
    return await stateOf(host, cluster, source, namespace, group, options);
  } catch (error) {
    await closeSource(source);
    throw error;
  }
}

async function stateOf(
  host: EngineHost,
  cluster: Cluster,
  source: Source,
  namespace: string,
  group: GroupReference,
  { building, reads }: DesiredOptions,
): Promise<Desired> {
  const scopeOf = await knownScopes(cluster, source);
  const place: Place = { scopeOf, namespace };
  switch (source.kind) {
    case "program":
      return programState(host, source, place, group, reads ?? cluster);
    case "tiltfile":
      return tiltfileState(host, source, place, building);
    case "objects":
      return objectsState(host, cluster, reads ?? cluster, source, place);
  }
}

/** Desired state as far as it is known without a cluster: enough for its graph. */
export async function draftState(
  host: EngineHost,
  source: Source,
  namespace: string,
  discovered: readonly KnownScope[] = [],
): Promise<GraphedState> {
  const state = await draftOf(host, source, namespace, discovered);
  throwProblems(duplicateObjects(state.objects));
  return state;
}

async function draftOf(
  host: EngineHost,
  source: Source,
  namespace: string,
  served: readonly KnownScope[],
): Promise<GraphedState> {
  const scopeOf = scopeLookup({
    discovered: [...bundleScopes, ...served],
    objects: source.objects.map(({ object }) => object),
  });
  const place: Place = { scopeOf, namespace };
  switch (source.kind) {
    case "program": {
      const { graph } = source.program;
      const desired = programObjects(graph, place);
      return {
        objects: desired.objects,
        components: programComponents(graph, desired),
        program: { desired },
      };
    }
    case "tiltfile": {
      const { components, diagnostics } = await assembleSource(source, scopeOf, namespace);
      throwErrors(diagnostics);
      const objects = components.flatMap((component) => component.objects);
      return {
        objects: complete(objects, [], place).objects,
        components: components.map((component) => orderOf(component, place)),
        warnings: diagnostics,
      };
    }
    case "objects": {
      const { objects } = complete(source.objects, [], place);
      const bundles = objects.filter(({ object }) => isBundle(object));
      if (bundles.length === 0) return { objects, components: [] };
      const { bundleObjects } = await import("./bundle-state.ts");
      const others = objects.filter((each) => !bundles.includes(each));
      const { desired, diagnostics } = await bundleObjects(bundles, others, {
        workingDirectory: host.workingDirectory,
        namespace,
        isNamespaced: isNamespacedIn(place),
      });
      throwErrors(diagnostics);
      const program = { desired };
      return { objects: desired.objects, components: [], program, warnings: diagnostics };
    }
  }
}

async function tiltfileState(
  host: EngineHost,
  source: TiltfileSource,
  place: Place,
  building: BuildingOptions | undefined,
): Promise<DesiredTiltfile> {
  const { components, diagnostics } = await assembleSource(source, place.scopeOf, place.namespace);
  throwErrors(diagnostics);
  const images = await SourceImages.plan(source.tiltfile, components, building);
  if (building !== undefined) await images.buildSelfNamed(host, building);
  const references = images.references(building?.kept);
  const injected = components.map((component) => ({
    ...component,
    objects: overrideEntrypoints(injectImages(component, references), component, images.builds),
  }));
  const completed = complete(
    injected.flatMap(({ objects }) => objects),
    diagnostics,
    place,
  );
  const ordered = injected.map((component) => orderOf(component, place));
  const keys = new Map(ordered.map(({ name, members }) => [name, members]));
  const keyOf = ({ name }: Component, index: number): string => keys.get(name)?.[index] ?? "";
  const builder: ImageBuilder | undefined = building && {
    neededFor: (plan, name) => {
      const own = name === undefined ? components : components.filter((each) => each.name === name);
      return images.neededFor(plan, own, keyOf, building.kept);
    },
    unbuilt: (needed) => images.unbuilt(needed, building.kept),
    build: (needed) => images.build(host, needed, building),
  };
  return {
    kind: "tiltfile",
    ...completed,
    components: ordered,
    assembled: components,
    images: { references, builder },
    close: nothingToClose,
  };
}

/** Objects as they are; bundles among them are taken apart where no controller does it. */
async function objectsState(
  host: EngineHost,
  cluster: Cluster,
  reads: Cluster,
  source: ObjectsSource,
  place: Place,
): Promise<DesiredObjects | DesiredProgram> {
  const completed = complete(source.objects, source.diagnostics, place);
  const state = { ...completed, components: [], close: nothingToClose };
  if (!state.objects.some(({ object }) => isBundle(object))) return { kind: "objects", ...state };
  const { bundlesOf, bundleState } = await import("./bundle-state.ts");
  const bundles = await bundlesOf(reads, state.objects);
  if (bundles.length === 0) return { kind: "objects", ...state };
  const others = state.objects.filter((each) => !bundles.includes(each));
  const { objects, program, diagnostics, close } = await bundleState(cluster, bundles, others, {
    workingDirectory: host.workingDirectory,
    environment: host.environment,
    isNamespaced: isNamespacedIn(place),
  });
  throwErrors(diagnostics);
  throwProblems(duplicateObjects(objects));
  return { ...state, kind: "program", objects, program, close };
}

async function programState(
  host: EngineHost,
  { program: evaluation, diagnostics }: ProgramSource,
  place: Place,
  group: GroupReference,
  cluster: Cluster,
): Promise<DesiredProgram> {
  throwErrors(diagnostics);
  const recorded = await recordedResources(cluster, await knownInventory(cluster, group));
  const desiredAs = (names: ReadonlyMap<string, string>): ProgramDesired =>
    programObjects(evaluation.graph, place, {
      recorded: (resource) => recorded.get(resource)?.identity,
      chosen: (resource) => names.get(resource),
    });
  const desired = desiredAs(new Map());
  throwProblems(duplicateObjects(desired.objects));
  const { openProviders } = await import("../../providers/index.ts");
  const providers = openProviders({
    projectFolder: dirname(evaluation.graph.files[0] ?? host.workingDirectory),
    environment: host.environment,
  });
  return {
    kind: "program",
    objects: desired.objects,
    components: programComponents(evaluation.graph, desired),
    invalid: [],
    warnings: [
      ...diagnostics,
      ...ruleWarnings(desired.objects),
      ...looksRenamed(evaluation.graph, objectsOf(recorded), (name) => desired.keyOf.get(name)),
    ],
    program: { desired, desiredAs, providers, resolve: evaluation.resolve },
    close: async () => {
      await Promise.all([providers.close(), evaluation.close()]);
    },
  };
}

/** The objects of a program, under the names that they have or are to have. */
function programObjects(
  graph: ProgramGraph,
  place: Place,
  names: Partial<Pick<Parameters<typeof programDesired>[1], "recorded" | "chosen">> = {},
): ProgramDesired {
  return programDesired(graph, {
    ...names,
    namespace: graph.namespace ?? place.namespace,
    isNamespaced: isNamespacedIn(place),
    hashOf: resourceHash,
  });
}

function programComponents(
  { components }: ProgramGraph,
  { keyOf }: ProgramDesired,
): readonly OrderedComponent[] {
  return components.map(({ name, resources, dependsOn, comesFirst }) => ({
    name,
    members: resources.flatMap((resource) => keyOf.get(resource) ?? []),
    dependsOn,
    comesFirst,
  }));
}

function isNamespacedIn({ scopeOf }: Place): (object: KubernetesObject) => boolean {
  return ({ apiVersion, kind }) => scopeOf(groupOf(apiVersion), kind) !== "cluster";
}

function nothingToClose(): Promise<void> {
  return Promise.resolve();
}

function objectsOf(
  recorded: ReadonlyMap<string, RecordedResource>,
): ReadonlyMap<string, KubernetesObject> {
  return new Map([...recorded].map(([name, { object }]) => [name, object]));
}

interface Place {
  readonly scopeOf: ScopeLookup;
  readonly namespace: string;
}

/** The scopes of the kinds of a source: as it defines them, or as the cluster serves them. */
export async function knownScopes(
  cluster: Cluster,
  { objects }: Pick<Source, "objects">,
): Promise<ScopeLookup> {
  const defined = scopeLookup({
    discovered: bundleScopes,
    objects: objects.map(({ object }) => object),
  });
  const kinds = objects.map(({ object: { apiVersion, kind } }) => ({
    group: groupOf(apiVersion),
    kind,
    apiVersion,
  }));
  const resources = await resourcesServing(
    cluster,
    kinds.filter(({ group, kind }) => defined(group, kind) === undefined),
  );
  const served = resources.all.map(({ group, kind, namespaced }): KnownScope => ({
    group,
    kind,
    scope: namespaced ? "namespaced" : "cluster",
  }));
  const discovered = [...bundleScopes, ...served];
  return scopeLookup({ discovered, objects: objects.map(({ object }) => object) });
}

function complete(
  given: readonly SourcedObject[],
  known: readonly Diagnostic[],
  { scopeOf, namespace }: Place,
): Pick<Desired, "objects" | "invalid" | "warnings"> {
  const defaulted = defaultNamespaces(given, scopeOf, namespace);
  throwErrors(defaulted.diagnostics);
  const { objects } = defaulted;
  const identities = new Map(
    given.map(({ object }, index) => [
      identityKey(identityOf(object)),
      identityOf(objects[index]?.object ?? object),
    ]),
  );
  const invalid = known.flatMap((diagnostic): readonly ObjectProblem[] => {
    const { severity, object } = diagnostic;
    if (severity !== "error") return [];
    const identity = object && identities.get(identityKey(object));
    return [{ identities: identity === undefined ? [] : [identity], diagnostic }];
  });
  return {
    objects,
    invalid: [...invalid, ...duplicateObjects(objects), ...generatedNames(objects)],
    warnings: [
      ...known.filter(({ severity }) => severity === "warning"),
      ...defaulted.diagnostics,
      ...ruleWarnings(objects),
    ],
  };
}

/** Mistakes in readiness rules that stop nothing; those that do are found with the plan. */
function ruleWarnings(objects: readonly SourcedObject[]): readonly Diagnostic[] {
  return diagnoseRules(objects)
    .map(({ diagnostic }) => diagnostic)
    .filter(({ severity }) => severity === "warning");
}

function orderOf(
  { name, kind, dependsOn, objects }: Component,
  { scopeOf, namespace }: Place,
): OrderedComponent {
  const members = defaultNamespaces(objects, scopeOf, namespace).objects;
  return {
    name,
    members: members.map(({ object }) => identityKey(identityOf(object))),
    dependsOn,
    comesFirst: kind === "uncategorized",
  };
}

/** Ends where what is wrong cannot be told with the rest. */
export function throwProblems(problems: readonly ObjectProblem[]): void {
  throwErrors(problems.map(({ diagnostic }) => diagnostic));
}

function throwErrors(diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.some(({ severity }) => severity === "error"))
    throw new DiagnosticError(diagnostics);
}
