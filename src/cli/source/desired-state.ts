import { dirname } from "node:path";
import type { ProgramRun } from "../../apply/index.ts";
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
  type ListsAhead,
  type RecordedResource,
  recordedResources,
  resourcesServing,
} from "../../observe/index.ts";
import {
  looksRenamed,
  type OrderedComponent,
  type Plan,
  type ProgramDesired,
  programDesired,
} from "../../plan/index.ts";
import { diagnoseRules } from "../../readiness/index.ts";
import type { Evaluation } from "../../sources/program/index.ts";
import type { CliContext } from "../context.ts";
import { assembleSource } from "./assemble-source.ts";
import type { Source } from "./read-source.ts";
import { resourceHash } from "./resource-hash.ts";
import { type BuildingOptions, SourceImages } from "./source-images.ts";

/** What a source wishes for in one cluster, ready for the planner. */
export interface DesiredState {
  readonly objects: readonly SourcedObject[];
  /** The components of a Tiltfile, by which its objects are named and ordered. */
  readonly components?: readonly OrderedComponent[];
  /** What cannot be applied as it is given; told with all else that a plan finds wrong. */
  readonly invalid?: readonly ObjectProblem[];
  readonly warnings: readonly Diagnostic[];
  /** What an apply needs of a program. */
  readonly program?: ProgramRun;
  /** Ends what a program still runs. */
  readonly close?: () => Promise<void>;
  /** Makes the images that a plan is going to need; of one component, if one is named. */
  readonly buildFor?: (plan: Plan) => Promise<void>;
  /** The images that a plan is going to need for one component, and that are not built yet. */
  readonly imagesFor?: (plan: Plan, component: string) => ReadonlySet<string>;
  /** Those of some images that are not built yet, by the references of their builds. */
  readonly unbuilt?: (images: ReadonlySet<string>) => ReadonlySet<string>;
  /** Makes images, by the references of their builds. */
  readonly buildImages?: (images: ReadonlySet<string>) => Promise<void>;
  /** The components of a Tiltfile, with all that it says of them. */
  readonly assembled?: readonly Component[];
  /** What the cluster calls each built image, by the reference of its build. */
  readonly images?: ReadonlyMap<string, string>;
}

interface DesiredOptions {
  /** Without it images are only named, not built. */
  readonly building?: BuildingOptions | undefined;
  /** Keeps what is read here for the plan. */
  readonly ahead?: ListsAhead | undefined;
}

/** Assembles, names images, fills in namespaces and refuses contradictions; a program that fails here is ended. */
export async function desiredState(
  context: CliContext,
  cluster: Cluster,
  source: Source,
  namespace: string,
  group: GroupReference,
  options: DesiredOptions = {},
): Promise<DesiredState> {
  try {
    return await stateOf(context, cluster, source, namespace, group, options);
  } catch (error) {
    await source.program?.close();
    throw error;
  }
}

async function stateOf(
  context: CliContext,
  cluster: Cluster,
  source: Source,
  namespace: string,
  group: GroupReference,
  { building, ahead }: DesiredOptions,
): Promise<DesiredState> {
  const scopeOf = await knownScopes(cluster, source);
  const place: Place = { scopeOf, namespace };
  const { program } = source;
  if (program !== undefined)
    return programState(context, cluster, program, source.diagnostics, place, group, ahead);
  if (source.tiltfile === undefined)
    return objectsState(
      context,
      cluster,
      complete(source.objects, source.diagnostics, place),
      place,
    );
  const { components, diagnostics } = await assembleSource(source, scopeOf, namespace);
  throwErrors(diagnostics);
  const images = await SourceImages.plan(source.tiltfile, components, building);
  if (building !== undefined) await images.buildSelfNamed(context, building);
  const references = images.references(building?.kept);
  const injected = components.map((component) => ({
    ...component,
    objects: overrideEntrypoints(injectImages(component, references), component, images.builds),
  }));
  const desired = complete(
    injected.flatMap(({ objects }) => objects),
    diagnostics,
    place,
  );
  const ordered = injected.map((component) => orderOf(component, place));
  const keys = new Map(ordered.map(({ name, members }) => [name, members]));
  const keyOf = ({ name }: Component, index: number): string => keys.get(name)?.[index] ?? "";
  return {
    ...desired,
    components: ordered,
    assembled: components,
    images: references,
    ...(building === undefined
      ? {}
      : {
          buildFor: (plan) =>
            images.build(
              context,
              images.neededFor(plan, components, keyOf, building.kept),
              building,
            ),
          imagesFor: (plan, component) =>
            images.neededFor(
              plan,
              components.filter(({ name }) => name === component),
              keyOf,
              building.kept,
            ),
          unbuilt: (needed) => images.unbuilt(needed, building.kept),
          buildImages: (needed) => images.build(context, needed, building),
        }),
  };
}

/** Objects as they are; bundles among them are taken apart where no controller does it. */
async function objectsState(
  context: CliContext,
  cluster: Cluster,
  state: DesiredState,
  { scopeOf }: Place,
): Promise<DesiredState> {
  if (!state.objects.some(({ object }) => isBundle(object))) return state;
  const { bundlesOf, bundleState } = await import("./bundle-state.ts");
  const bundles = await bundlesOf(cluster, state.objects);
  if (bundles.length === 0) return state;
  const others = state.objects.filter((each) => !bundles.includes(each));
  const { objects, program, diagnostics, close } = await bundleState(cluster, bundles, others, {
    workingDirectory: context.workingDirectory,
    environment: context.process.env,
    isNamespaced: (object) => scopeOf(groupOf(object.apiVersion), object.kind) !== "cluster",
  });
  throwErrors(diagnostics);
  throwProblems(duplicateObjects(objects));
  return { ...state, objects, program, close };
}

async function programState(
  context: CliContext,
  cluster: Cluster,
  evaluation: Evaluation,
  diagnostics: readonly Diagnostic[],
  { scopeOf, namespace }: Place,
  group: GroupReference,
  ahead: ListsAhead | undefined,
): Promise<DesiredState> {
  throwErrors(diagnostics);
  const recorded = await recordedResources(cluster, await knownInventory(cluster, group), ahead);
  const desiredAs = (names: ReadonlyMap<string, string>): ProgramDesired =>
    programDesired(evaluation.graph, {
      namespace: evaluation.graph.namespace ?? namespace,
      isNamespaced: (object) => scopeOf(groupOf(object.apiVersion), object.kind) !== "cluster",
      recorded: (resource) => recorded.get(resource)?.identity,
      chosen: (resource) => names.get(resource),
      hashOf: resourceHash,
    });
  const desired = desiredAs(new Map());
  throwProblems(duplicateObjects(desired.objects));
  const { openProviders } = await import("../../providers/index.ts");
  const providers = openProviders({
    projectFolder: dirname(evaluation.graph.files[0] ?? context.workingDirectory),
    environment: context.process.env,
  });
  const { components } = evaluation.graph;
  return {
    objects: desired.objects,
    ...(components.length === 0
      ? {}
      : {
          components: components.map(({ name, resources, dependsOn, comesFirst }) => ({
            name,
            members: resources.flatMap((resource) => desired.keyOf.get(resource) ?? []),
            dependsOn,
            comesFirst,
          })),
        }),
    warnings: [
      ...diagnostics,
      ...ruleWarnings(desired.objects),
      ...looksRenamed(evaluation.graph, objectsOf(recorded)),
    ],
    program: { desired, desiredAs, providers, resolve: evaluation.resolve },
    close: async () => {
      await Promise.all([providers.close(), evaluation.close()]);
    },
  };
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
export async function knownScopes(cluster: Cluster, { objects }: Source): Promise<ScopeLookup> {
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
): DesiredState {
  const defaulted = defaultNamespaces(given, scopeOf, namespace);
  throwErrors(defaulted.diagnostics);
  const { objects } = defaulted;
  return {
    objects,
    invalid: [...duplicateObjects(objects), ...generatedNames(objects)],
    warnings: [...known, ...defaulted.diagnostics, ...ruleWarnings(objects)],
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
