import { basename, resolve, sep } from "node:path";
import { assemble, type Component } from "../assembly/index.ts";
import type { Cluster } from "../cluster/index.ts";
import { DiagnosticError } from "../diagnostics/index.ts";
import {
  closeSource,
  type Desired,
  desiredState,
  type EngineHost,
  groupOfSource,
  isDeployed,
  knownScopes,
  type Project,
  readSource,
  type Source,
  throwProblems,
  tiltfilePath,
} from "../engine/index.ts";
import { BuiltImages } from "../images/index.ts";
import { identityKey, identityOf, type SourcedObject } from "../objects/index.ts";
import type {
  DesiredComponent,
  DesiredComponents,
  DesiredOptions,
  DevSource,
  LoadedSource,
  Loading,
  WatchedFiles,
} from "./dev-source.ts";

export interface DevSourceOptions {
  readonly input: string;
  readonly project: Project;
  readonly cluster: Cluster;
  readonly namespace: string;
  /** The name of the context; none for the sandbox. */
  readonly context: string | undefined;
  readonly args: readonly string[];
  readonly subcommand: "up" | "ci";
}

/** Any source, as a dev loop reads it. */
export function devSource(host: EngineHost, options: DevSourceOptions): DevSource {
  const built = new BuiltImages();
  return {
    inputs: async () => {
      const { input, project } = options;
      const main = await tiltfilePath(resolve(host.workingDirectory, input));
      return main === undefined ? inputFiles(host, options) : { paths: [main, ...project.files] };
    },
    load: async (signal, print): Promise<Loading> => {
      try {
        return await load(host, options, built, signal, print);
      } catch (error) {
        if (!(error instanceof DiagnosticError)) throw error;
        const watched = inputFiles(host, options);
        return { kind: "failed", diagnostics: error.diagnostics, watched };
      }
    },
  };
}

async function load(
  host: EngineHost,
  options: DevSourceOptions,
  built: BuiltImages,
  signal: AbortSignal,
  print: (text: string) => void,
): Promise<Loading> {
  const { input, project, cluster, namespace, args, subcommand } = options;
  const read = await readSource(host, [input], {
    context: options.context,
    namespace,
    args,
    subcommand,
    env: project.env,
    signal,
    print,
  });
  const watched = await watchedFiles(host, options, read);
  if (read.diagnostics.some(({ severity }) => severity === "error")) {
    await closeSource(read);
    return { kind: "failed", diagnostics: read.diagnostics, watched };
  }
  const group = groupOfSource(read, project, namespace);
  const source: Source = { ...read, objects: read.objects.filter(isDeployed) };
  const tiltfile = source.kind === "tiltfile" ? source.tiltfile : undefined;
  const loaded: LoadedSource = {
    kind: "loaded",
    group,
    watched,
    builds: tiltfile?.builds ?? [],
    localResources: tiltfile?.localResources ?? [],
    customDeploys: tiltfile?.customDeploys ?? [],
    settings: tiltfile?.settings,
    desired: async ({ emit, signal: stop, keptImages }: DesiredOptions) => {
      const building = { emit, signal: stop, kept: keptImages, built, runsDeploys: true };
      const state = await desiredState(host, cluster, source, namespace, group, { building });
      // Components are planned one by one: no plan sees both of two.
      throwProblems(state.invalid);
      return componentsOf(state, source, cluster, namespace);
    },
  };
  return loaded;
}

async function componentsOf(
  state: Desired,
  source: Source,
  cluster: Cluster,
  namespace: string,
): Promise<DesiredComponents> {
  const byKey = new Map(
    state.objects.map((object) => [identityKey(identityOf(object.object)), object]),
  );
  const members = new Map(state.components.map((each) => [each.name, each.members]));
  const named = (component: Component): DesiredComponent => ({
    component,
    objects: (members.get(component.name) ?? []).flatMap((key) => byKey.get(key) ?? []),
  });
  const isTiltfile = state.kind === "tiltfile";
  const found = isTiltfile
    ? state.assembled.map(named)
    : await assembled(state.objects, source, cluster, namespace, members);
  const builder = isTiltfile ? state.images.builder : undefined;
  return {
    components: found,
    warnings: state.warnings,
    images: isTiltfile ? state.images.references : new Map(),
    whole:
      state.kind === "program" ? { program: state.program, order: state.components } : undefined,
    imagesFor: (plan, component) => builder?.neededFor(plan, component) ?? new Set(),
    unbuilt: (images) => builder?.unbuilt(images) ?? new Set(),
    build: async (images) => builder?.build(images),
    close: state.close,
  };
}

/** The components of objects that nobody has put together yet. */
async function assembled(
  objects: readonly SourcedObject[],
  source: Source,
  cluster: Cluster,
  namespace: string,
  members: ReadonlyMap<string, readonly string[]>,
): Promise<readonly DesiredComponent[]> {
  const scopeOf = await knownScopes(cluster, { ...source, objects });
  const { components } = assemble({
    objects,
    directives: [],
    effectiveNamespace: namespace,
    scopeOf,
  });
  const said = source.kind === "program" ? source.program.graph.components : [];
  if (said.length === 0)
    return components.map((component) => ({ component, objects: component.objects }));
  return said.map((each): DesiredComponent => {
    const keys = new Set(members.get(each.name));
    const own = objects.filter(({ object }) => keys.has(identityKey(identityOf(object))));
    const known = components.find(
      ({ workload }) => workload !== undefined && own.includes(workload),
    );
    return {
      objects: own,
      component: {
        ...(known ?? withoutWorkload),
        name: each.name,
        kind: known?.kind ?? (each.comesFirst ? "uncategorized" : "objects"),
        objects: own,
        dependsOn: each.dependsOn,
        portForwards: each.portForwards as Component["portForwards"],
        links: each.links as Component["links"],
        labels: each.labels,
      },
    };
  });
}

const withoutWorkload = {
  images: [],
  extraPodSelectors: [],
  autoInit: true,
  podReadiness: "ignore",
  discoveryStrategy: "default",
} as const satisfies Partial<Component>;

async function watchedFiles(
  host: EngineHost,
  options: DevSourceOptions,
  source: Source,
): Promise<WatchedFiles> {
  const { input, project } = options;
  const absolute = (path: string): string => resolve(host.workingDirectory, path);
  if (source.kind === "tiltfile") {
    const main = await tiltfilePath(absolute(input));
    const paths = [
      ...(main === undefined ? [] : [main]),
      ...source.tiltfile.watchedPaths.map(absolute),
    ];
    return { paths: [...new Set([...paths, ...project.files])] };
  }
  if (source.kind === "program")
    return { paths: [...new Set([...source.program.graph.files.map(absolute), ...project.files])] };
  return inputFiles(host, options);
}

/** The input itself: all that is known to matter when it could not even be read. */
function inputFiles(host: EngineHost, { input, project }: DevSourceOptions): WatchedFiles {
  if (input === "-") return { paths: [] };
  const root = resolve(host.workingDirectory, input);
  return {
    paths: [...new Set([root, ...project.files])],
    isInput: (path) =>
      inputName.test(basename(path)) &&
      !path
        .slice(root.length)
        .split(sep)
        .some((part) => part.startsWith(".")),
  };
}

const inputName = /\.(?:yaml|yml|json|ts|mts|js|mjs|cjs|tiltfile)$|^Tiltfile/;
