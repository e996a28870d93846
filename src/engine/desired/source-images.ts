import type { Component } from "../../assembly/index.ts";
import type { BuildEvent } from "../../events/index.ts";
import {
  type BuildDefinition,
  buildImages,
  BuiltImages,
  findBuilder,
  needsNoBuilder,
  type OrderedBuild,
  type PlannedImage,
  planImages,
  runCommand,
} from "../../images/index.ts";
import { identityKey, identityOf } from "../../objects/index.ts";
import type { Plan } from "../../plan/index.ts";
import type { TiltfileResult } from "../../sources/tiltfile/index.ts";
import type { EngineHost } from "../host.ts";

const defaultParallelBuilds = 3;

export interface BuildingOptions {
  readonly emit: (event: BuildEvent) => void;
  readonly signal: AbortSignal;
  /** References of images that are not built anew though their files have changed. */
  readonly kept?: ReadonlyMap<string, string> | undefined;
  /** What others have built, or are building. */
  readonly built?: BuiltImages | undefined;
  /** Whether custom deploys are run, which then need their images too. */
  readonly runsDeploys?: boolean | undefined;
}

/** The images of a Tiltfile: named before they are built, and built when they are needed. */
export class SourceImages {
  readonly #tiltfile: TiltfileResult;
  readonly #planned: readonly PlannedImage[];
  readonly #built: BuiltImages;

  private constructor(
    tiltfile: TiltfileResult,
    planned: readonly PlannedImage[],
    built: BuiltImages,
  ) {
    this.#tiltfile = tiltfile;
    this.#planned = planned;
    this.#built = built;
  }

  /** Looks at what goes into the images that components use, and into their bases. */
  static async plan(
    tiltfile: TiltfileResult,
    components: readonly Component[],
    { built = new BuiltImages(), runsDeploys = false }: Partial<BuildingOptions> = {},
  ): Promise<SourceImages> {
    const names = new Set(components.map(({ name }) => name));
    const deploys = tiltfile.customDeploys.filter(({ name }) => runsDeploys && names.has(name));
    const ordered = usedBuilds(tiltfile, [
      ...components.flatMap(({ images }) => images.flatMap(({ build }) => build ?? [])),
      ...deploys.flatMap(({ imageDependencies }) => imageDependencies),
    ]);
    const planned = await planImages(ordered, tiltfile.settings.defaultRegistry);
    return new SourceImages(tiltfile, planned, built);
  }

  get builds(): readonly BuildDefinition[] {
    return this.#planned.map(({ build }) => build);
  }

  /** What the cluster calls each image, by the reference of its build. */
  references(kept?: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
    return new Map([
      ...this.#planned.map(
        ({ build, reference, clusterReference }) =>
          [build.reference, this.#built.nameOf(reference) ?? clusterReference] as const,
      ),
      ...(kept ?? []),
    ]);
  }

  /** Builds those images whose commands decide themselves what they are called. */
  async buildSelfNamed(host: EngineHost, options: BuildingOptions): Promise<void> {
    const selfNamed = this.#planned
      .filter(({ build }) => build.kind === "custom" && build.outputsReferenceTo !== undefined)
      .map(({ build }) => build.reference);
    await this.build(host, new Set(selfNamed), options);
  }

  /** The images that objects need which a plan is going to write, and which are not built yet. */
  neededFor(
    plan: Plan,
    components: readonly Component[],
    keyOf: (component: Component, index: number) => string,
    kept: ReadonlyMap<string, string> | undefined,
  ): ReadonlySet<string> {
    const needed = new Set<string>();
    for (const component of components) {
      for (const { build, object } of component.images) {
        const index = component.objects.findIndex(
          (given) => identityKey(object) === identityKey(identityOf(given.object)),
        );
        const action = plan.nodes.get(keyOf(component, index))?.action;
        if (build !== undefined && (action === "create" || action === "update")) needed.add(build);
      }
    }
    return this.unbuilt(needed, kept);
  }

  /** Which images are to be built before some can be used, their bases among them. */
  unbuilt(
    needed: ReadonlySet<string>,
    kept: ReadonlyMap<string, string> | undefined,
  ): ReadonlySet<string> {
    return new Set(this.#missing(needed, kept).map(({ build }) => build.reference));
  }

  #missing(
    needed: ReadonlySet<string>,
    kept: ReadonlyMap<string, string> | undefined,
  ): readonly PlannedImage[] {
    return withBases(this.#planned, needed).filter(
      ({ build, reference }) =>
        this.#built.nameOf(reference) === undefined && kept?.has(build.reference) !== true,
    );
  }

  /** Builds images, and what they are built from, as far as that has not been done. */
  async build(
    host: EngineHost,
    needed: ReadonlySet<string>,
    { emit, signal, kept }: BuildingOptions,
  ): Promise<void> {
    const missing = this.#missing(needed, kept);
    if (missing.length === 0) return;
    const { environment: env } = host;
    const { settings } = this.#tiltfile;
    const directory = host.workingDirectory;
    const builder = missing.every(({ build }) => needsNoBuilder(build))
      ? undefined
      : await findBuilder({
          named: env["KEELSON_BUILDER"],
          directory,
          environment: env,
          signal,
          run: runCommand,
        });
    await buildImages(missing, {
      builder,
      run: runCommand,
      environment: env,
      pushes: settings.defaultRegistry !== undefined,
      mostAtOnce: settings.mostParallelUpdates ?? defaultParallelBuilds,
      built: this.#built,
      emit,
      signal,
    });
  }
}

function usedBuilds(
  { builds, directives }: TiltfileResult,
  used: readonly string[],
): readonly OrderedBuild[] {
  const basesOf = new Map(
    directives.flatMap((directive) =>
      directive.kind === "image" ? [[directive.reference, directive.baseImages ?? []]] : [],
    ),
  );
  const wanted = new Set(used);
  // The set grows while it is walked: what an image is built from is built with it.
  for (const reference of wanted) for (const base of basesOf.get(reference) ?? []) wanted.add(base);
  return builds
    .filter(({ reference }) => wanted.has(reference))
    .map((build) => ({ build, bases: basesOf.get(build.reference) ?? [] }));
}

function withBases(
  planned: readonly PlannedImage[],
  needed: ReadonlySet<string>,
): readonly PlannedImage[] {
  const wanted = new Set(needed);
  for (const { build, bases } of planned.toReversed())
    if (wanted.has(build.reference)) for (const base of bases) wanted.add(base);
  return planned.filter(({ build }) => wanted.has(build.reference));
}
