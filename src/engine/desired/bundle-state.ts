import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { askServer, type ProgramRun, underAnotherName } from "../../prepare/index.ts";
import {
  type BundleGraph,
  bundleGraph,
  bundleGroup,
  bundleManager,
  type DeferredWorld,
  bindingOf,
  decodedData,
  type ExampleProblem,
  exampleProblems,
  isBundle,
  ownedKinds,
  readBundle,
  secretNamesOf,
} from "../../bundles/index.ts";
import { type Cluster, isNotFound, isUnserved, referenceTo } from "../../cluster/index.ts";
import { BundlePlugins } from "./bundle-plugins.ts";
import { type Diagnostic, fail, type SourceRange } from "../../diagnostics/index.ts";
import { isJsonObject, type JsonObject } from "../../json/index.ts";
import {
  groupOf,
  identityKey,
  identityOf,
  type KubernetesObject,
  type SourcedObject,
} from "../../objects/index.ts";
import { observeRules } from "../../observe/index.ts";
import { type ProgramDesired, programDesired } from "../../plan/index.ts";
import type { ReadinessContext } from "../../readiness/index.ts";
import { contentsSuffix, type KnownOutputs } from "../../resources/index.ts";
import { resourceHash } from "./resource-hash.ts";

/** The bundles among objects that must be carried out here, because no controller does it. */
export async function bundlesOf(
  cluster: Cluster,
  objects: readonly SourcedObject[],
): Promise<readonly SourcedObject[]> {
  const bundles = objects.filter(({ object }) => isBundle(object));
  if (bundles.length === 0) return [];
  const defined = new Set(objects.map(({ object }) => object.metadata.name));
  // What is remembered may be older than the end of a definition: a read shows whether it holds.
  const known = await cluster.resources();
  const [served] = bundles.filter(({ object }) => known.find(object) !== undefined);
  if (served !== undefined)
    await cluster.find(referenceTo(served.object)).catch((error: unknown) => {
      if (!isUnserved(error) && !isNotFound(error)) throw error;
    });
  const resources = await cluster.resources();
  return bundles.filter(
    ({ object }) =>
      resources.find(object) === undefined &&
      !defined.has(`${object.kind.toLowerCase()}s.${bundleGroup}`),
  );
}

export interface BundleState {
  readonly objects: readonly SourcedObject[];
  readonly program: ProgramRun;
  readonly diagnostics: readonly Diagnostic[];
  readonly close: () => Promise<void>;
}

/** The resources of bundles, and all other objects beside them, as one graph. */
export async function bundleState(
  cluster: Cluster,
  bundles: readonly SourcedObject[],
  others: readonly SourcedObject[],
  options: {
    readonly workingDirectory: string;
    readonly environment: Readonly<Partial<Record<string, string>>>;
    readonly isNamespaced: (object: KubernetesObject) => boolean;
  },
): Promise<BundleState> {
  const { graphs, diagnostics, desired } = await bundleObjects(bundles, others, {
    ...options,
    namespace: cluster.namespace,
    server: cluster,
  });
  const { openProviders } = await import("../../providers/index.ts");
  const providers = openProviders({
    projectFolder: dirname(bundles[0]?.file ?? options.workingDirectory),
    environment: options.environment,
  });
  const definitions = others.map(({ object }) => object).filter(isDefinition);
  return {
    objects: desired.objects,
    diagnostics,
    program: {
      desired,
      // What objects of a bundle are called stands in it.
      desiredAs: () => desired,
      providers,
      resolve: async (deferred, outputs) => {
        const graph = graphs.find(
          ({ first, count }) => deferred >= first && deferred < first + count,
        );
        if (graph === undefined) throw new Error(`no bundle has the value ${deferred}`);
        const world = await worldOf(cluster, graph, deferred, outputs, definitions);
        const resolved = graph.resolve(deferred, outputs, world);
        if (resolved.kind === "value") return resolved.value;
        return fail({ code: "bundle.unresolved", summary: resolved.message });
      },
    },
    close: () => providers.close(),
  };
}

/** The objects of bundles and all others, with the edges between them. */
export async function bundleObjects(
  bundles: readonly SourcedObject[],
  others: readonly SourcedObject[],
  options: {
    readonly workingDirectory: string;
    readonly namespace: string;
    readonly isNamespaced: (object: KubernetesObject) => boolean;
    /** Asked before an object is refused; without it our own rules count. */
    readonly server?: Cluster | undefined;
  },
): Promise<{
  readonly desired: ProgramDesired;
  readonly graphs: readonly BundleGraph[];
  readonly diagnostics: readonly Diagnostic[];
}> {
  const { graphs, diagnostics } = await graphsOf(bundles, options.workingDirectory, options.server);
  const resources = graphs.flatMap((graph) => graph.resources);
  const desired = programDesired(
    { project: "", env: "", resources, components: [], files: [], notes: [] },
    { ...options, hashOf: resourceHash },
  );
  return {
    graphs,
    diagnostics,
    desired: {
      ...desired,
      objects: [...others, ...desired.objects],
      byKey: new Map([
        ...desired.byKey,
        ...others.map(({ object }) => [identityKey(identityOf(object)), object] as const),
      ]),
    },
  };
}

function isDefinition({ kind }: KubernetesObject): boolean {
  return kind === "CustomResourceDefinition";
}

/** What bundles say, with everything that is wrong with them. */
export async function graphsOf(
  bundles: readonly SourcedObject[],
  workingDirectory: string,
  server?: Cluster,
): Promise<{
  readonly graphs: readonly BundleGraph[];
  readonly diagnostics: readonly Diagnostic[];
}> {
  const diagnostics: Diagnostic[] = [];
  const graphs: BundleGraph[] = [];
  let first = 0;
  for (const { object, file, sourceOf } of bundles) {
    const read = readBundle(object, sourceOf);
    diagnostics.push(...read.diagnostics);
    const plugins = new BundlePlugins(file === "<stdin>" ? workingDirectory : dirname(file));
    const wanted = read.bundle.resources.flatMap(({ target }) =>
      target.kind === "plugin" ? [target.plugin] : [],
    );
    const missing = await plugins.load(wanted);
    diagnostics.push(...missing);
    if (read.diagnostics.length > 0 || missing.length > 0) continue;
    for (const problem of exampleProblems(read.bundle, plugins.get))
      if (await isRefused(problem, server)) diagnostics.push(...problem.diagnostics);
    const placeOf = new Map(
      read.bundle.resources.map(({ name }, index) => [index, indexOf(object, name)]),
    );
    const fallback: SourceRange = sourceOf([]);
    const graph = bundleGraph(read.bundle, plugins.get, {
      first,
      sourceOf: (index) => sourceOf(["spec", "resources", placeOf.get(index) ?? 0]) ?? fallback,
    });
    diagnostics.push(...graph.diagnostics);
    graphs.push(graph);
    first += graph.count;
  }
  return { graphs, diagnostics };
}

/** Whether a problem with examples counts: what a server takes is not refused here. */
async function isRefused(
  { object }: ExampleProblem,
  server: Cluster | undefined,
): Promise<boolean> {
  if (object === undefined || server === undefined) return true;
  return (await askServer(server, underAnotherName(object), bundleManager)) !== "taken";
}

/** Where a resource stands in the file; they were put in order since. */
function indexOf(bundle: KubernetesObject, name: string): number {
  const { spec } = bundle;
  const list = isJsonObject(spec) && Array.isArray(spec["resources"]) ? spec["resources"] : [];
  return Math.max(
    0,
    list.findIndex((each) => isJsonObject(each) && each["name"] === name),
  );
}

/** Reads what one value needs of the cluster. */
async function worldOf(
  cluster: Cluster,
  graph: BundleGraph,
  deferred: number,
  outputs: KnownOutputs,
  definitions: readonly KubernetesObject[],
): Promise<DeferredWorld> {
  const { references, config } = graph.needs(deferred);
  const { namespace } = graph;
  const modified = references.filter(({ modifier }) => modifier !== undefined);
  const claims: readonly KubernetesObject[] = modified.flatMap(({ from }) => {
    const live = outputs.get(from) as KubernetesObject | undefined;
    return live ?? [];
  });
  const rules = claims.length === 0 ? {} : await bindingsOf(cluster, claims, definitions);
  const found = new Map<string, KubernetesObject>();
  const read = async (kind: string, name: string): Promise<void> => {
    const object = await cluster.find({ apiVersion: "v1", kind, namespace, name });
    if (object !== undefined) found.set(`${kind} ${name}`, object);
  };
  const names = claims.flatMap((claim) => [
    ...secretNamesOf(claim),
    ...bindingNames(bindingOf(claim, rules)),
  ]);
  await Promise.all([
    ...config.map(({ kind, name }) => read(kind, name)),
    ...names.flatMap((name) => [read("Secret", name), read("ConfigMap", name)]),
  ]);
  return {
    // Everything here was read with the rights of whoever runs this.
    unreadable: () => undefined,
    bindingOf: (claim) => bindingOf(claim, rules),
    output: (name) =>
      (["Secret", "ConfigMap"] as const)
        .filter((kind) => found.has(`${kind} ${name}`))
        .map((kind) => ({ kind, name }))[0],
    secretData: (name) => decodedData(found.get(`Secret ${name}`)),
    digestOf: (kind, name) => {
      const object = found.get(`${kind} ${name}`);
      return object === undefined ? undefined : contentsSuffix(object as unknown as JsonObject);
    },
    hash: (text) => createHash("sha256").update(text).digest("hex").slice(0, 16),
  };
}

/** What definitions say of claims, and the whole objects that belong to these. */
async function bindingsOf(
  cluster: Cluster,
  claims: readonly KubernetesObject[],
  definitions: readonly KubernetesObject[],
): Promise<Pick<ReadinessContext, "childrenOf" | "rulesOf">> {
  const { rulesOf } = await observeRules(cluster, claims, definitions);
  const lists = await Promise.all(
    claims.map(async ({ apiVersion, kind, metadata: { namespace = "" } }) => {
      const [owned] = ownedKinds(rulesOf?.(groupOf(apiVersion), kind));
      return owned === undefined ? [] : (await cluster.list(owned, { namespace })).items;
    }),
  );
  const all = lists.flat();
  return {
    rulesOf,
    childrenOf: ({ metadata: { uid } }) =>
      all.filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid)),
  };
}

function bindingNames(bound: ReturnType<typeof bindingOf>): readonly string[] {
  return bound.kind === "bound" ? [bound.outputName] : [];
}
