import { basename, resolve, sep } from "node:path";
import { assemble, type Component } from "../../assembly/index.ts";
import type { Cluster } from "../../cluster/index.ts";
import type {
  DesiredComponent,
  DesiredComponents,
  DesiredOptions,
  DevSource,
  LoadedSource,
  Loading,
  WatchedFiles,
} from "../../devloop/index.ts";
import { DiagnosticError } from "../../diagnostics/index.ts";
import { BuiltImages } from "../../images/index.ts";
import { identityKey, identityOf, type SourcedObject } from "../../objects/index.ts";
import { groupOfSource } from "../commands/project/load-project.ts";
import { isDeployed } from "../commands/live/load-package.ts";
import type { CliContext } from "../context.ts";
import { type DesiredState, desiredState, knownScopes, throwProblems } from "./desired-state.ts";
import type { Project } from "./project.ts";
import { readSource, type Source } from "./read-source.ts";
import { tiltfilePath } from "./tiltfile-path.ts";

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
export function devSource(context: CliContext, options: DevSourceOptions): DevSource {
  const built = new BuiltImages();
  return {
    inputs: async () => {
      const { input, project } = options;
      const main = await tiltfilePath(resolve(context.workingDirectory, input));
      return main === undefined
        ? inputFiles(context, options)
        : { paths: [main, ...project.files] };
    },
    load: async (signal, print): Promise<Loading> => {
      try {
        return await load(context, options, built, signal, print);
      } catch (error) {
        if (!(error instanceof DiagnosticError)) throw error;
        const watched = inputFiles(context, options);
        return { kind: "failed", diagnostics: error.diagnostics, watched };
      }
    },
  };
}

async function load(
  context: CliContext,
  options: DevSourceOptions,
  built: BuiltImages,
  signal: AbortSignal,
  print: (text: string) => void,
): Promise<Loading> {
  const { input, project, cluster, namespace, args, subcommand } = options;
  const read = await readSource(context, [input], {
    context: options.context,
    namespace,
    args,
    subcommand,
    env: project.env,
    signal,
    print,
  });
  const watched = await watchedFiles(context, options, read);
  if (read.diagnostics.some(({ severity }) => severity === "error")) {
    await read.program?.close();
    return { kind: "failed", diagnostics: read.diagnostics, watched };
  }
  const group = groupOfSource(read, project, namespace);
  const source: Source = { ...read, objects: read.objects.filter(isDeployed) };
  const { tiltfile } = source;
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
      const state = await desiredState(context, cluster, source, namespace, group, { building });
      // Components are planned one by one: no plan sees both of two.
      throwProblems(state.invalid ?? []);
      return componentsOf(state, source, cluster, namespace);
    },
  };
  return loaded;
}

async function componentsOf(
  state: DesiredState,
  source: Source,
  cluster: Cluster,
  namespace: string,
): Promise<DesiredComponents> {
  const byKey = new Map(
    state.objects.map((object) => [identityKey(identityOf(object.object)), object]),
  );
  const members = new Map(state.components?.map((each) => [each.name, each.members]));
  const named = (component: Component): DesiredComponent => ({
    component,
    objects: (members.get(component.name) ?? []).flatMap((key) => byKey.get(key) ?? []),
  });
  const found =
    state.assembled?.map(named) ??
    (await assembled(state.objects, source, cluster, namespace, members));
  return {
    components: found,
    warnings: state.warnings,
    images: state.images ?? new Map(),
    whole:
      state.program === undefined ? undefined : { program: state.program, order: state.components },
    imagesFor: (plan, component) => state.imagesFor?.(plan, component) ?? new Set(),
    unbuilt: (images) => state.unbuilt?.(images) ?? new Set(),
    build: async (images) => state.buildImages?.(images),
    close: async () => state.close?.(),
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
  const said = source.program?.graph.components ?? [];
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
  context: CliContext,
  options: DevSourceOptions,
  { tiltfile, program }: Source,
): Promise<WatchedFiles> {
  const { input, project } = options;
  const absolute = (path: string): string => resolve(context.workingDirectory, path);
  if (tiltfile !== undefined) {
    const main = await tiltfilePath(absolute(input));
    const paths = [...(main === undefined ? [] : [main]), ...tiltfile.watchedPaths.map(absolute)];
    return { paths: [...new Set([...paths, ...project.files])] };
  }
  if (program !== undefined)
    return { paths: [...new Set([...program.graph.files.map(absolute), ...project.files])] };
  return inputFiles(context, options);
}

/** The input itself: all that is known to matter when it could not even be read. */
function inputFiles(context: CliContext, { input, project }: DevSourceOptions): WatchedFiles {
  if (input === "-") return { paths: [] };
  const root = resolve(context.workingDirectory, input);
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
