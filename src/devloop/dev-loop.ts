import { Slots } from "../apply/index.ts";
import type { Cluster } from "../cluster/index.ts";
import { fail, shellWord } from "../diagnostics/index.ts";
import type { GroupReference } from "../inventory/index.ts";
import { ClusterUpdates } from "./cluster-updates.ts";
import { compareComponents, hasBegun, want } from "./compare-components.ts";
import { type ComponentFacts, factsOf } from "./component-facts.ts";
import { deployImages, type DevComponent, isLocal, usesImage } from "./dev-component.ts";
import type { CurrentSource, DevContext } from "./dev-context.ts";
import { DevReporter } from "./dev-reporter.ts";
import type { DesiredComponents, DevSource, LoadedSource, WatchedFiles } from "./dev-source.ts";
import { DevState } from "./dev-state.ts";
import { FileWatcher } from "./files/file-watcher.ts";
import {
  buildMatches,
  buildRoots,
  deployMatches,
  localMatches,
  settingsIgnore,
  sourceMatches,
} from "./files/input-match.ts";
import { type ChangedImage, LiveUpdates } from "./live-update/live-updates.ts";
import { LocalUpdates } from "./local/local-updates.ts";
import { ImageBuilds } from "./image-builds.ts";
import { PodFeed } from "./pods/pod-feed.ts";
import { PodLogs } from "./pods/pod-logs.ts";
import { PortForwards } from "./pods/port-forwards.ts";
import { RuntimeFeed } from "./runtime-feed.ts";
import { selectComponents } from "./select-components.ts";
import { SourceReader } from "./source-reader.ts";
import { updateObstacle } from "./update-obstacle.ts";

export interface DevLoopOptions {
  readonly cluster: Cluster;
  readonly source: DevSource;
  /** The components to run; all when there are none. */
  readonly only: readonly string[];
  /** False: one run, as `ci` wants it; files are not watched. */
  readonly watches: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Who holds the Lease of the inventory. */
  readonly holder: string;
  readonly now?: (() => number) | undefined;
  /** Looks at what was read before anything is done with it; what it throws ends the loop. */
  readonly accept?: ((source: LoadedSource) => void) | undefined;
  /** How many folders are watched at most. */
  readonly mostFolders?: number | undefined;
}

const defaultParallelUpdates = 3;

/**
 * Keeps a project running while its files change: reads the source again, updates the components that
 * changed, runs local commands, and follows how everything is. All that happens is in {@link state}.
 */
export class DevLoop {
  readonly state: DevState;
  readonly #options: DevLoopOptions;
  readonly #context: DevContext;
  readonly #stopping = new AbortController();
  readonly #work = new Set<Promise<void>>();
  readonly #files: FileWatcher;
  readonly #reader: SourceReader;
  readonly #pods: PodFeed;
  readonly #runtime: RuntimeFeed;
  readonly #forwards: PortForwards;
  readonly #liveUpdates: LiveUpdates;
  readonly #local: LocalUpdates;
  readonly #builds: ImageBuilds;
  readonly #cluster: ClusterUpdates;
  #slots = new Slots(defaultParallelUpdates);
  #slotCount = defaultParallelUpdates;
  /** Files that changed and that nobody has looked at yet. */
  readonly #changed = new Set<string>();
  #isLooking = false;
  #current: CurrentSource | undefined;
  /** Something left the source, and is still in the cluster. */
  #mustPrune = false;
  #isTaking = false;
  #starting: Promise<void> = Promise.resolve();

  constructor(options: DevLoopOptions) {
    const { cluster, environment, holder, now = Date.now } = options;
    const { signal } = this.#stopping;
    this.#options = options;
    this.state = new DevState(now);
    const reporter = new DevReporter(this.state, signal);
    this.#context = {
      cluster,
      environment,
      holder,
      state: this.state,
      reporter,
      components: new Map(),
      signal,
      current: () => this.#current,
      slots: () => this.#slots,
      pump: () => {
        this.#pump();
      },
    };
    const podLogs = new PodLogs({
      cluster,
      since: now(),
      signal,
      onLine: (component, _pod, line) => {
        reporter.log(component, "pod", line);
      },
    });
    this.#pods = new PodFeed({
      cluster,
      onPod: (component, pod, isGone) => {
        if (isGone) return;
        podLogs.look(component, pod);
        const entry = this.#context.components.get(component);
        if (entry !== undefined) this.#liveUpdates.podSeen(entry, this.#current, pod);
        this.#runtime.podChanged(component);
      },
      onTrouble: (error) => {
        reporter.unwatched("nobody watches pods", error);
      },
    });
    this.#forwards = new PortForwards({
      cluster,
      pods: this.#pods,
      onEndpoints: this.state.endpoints.bind(this.state),
      onTrouble: (diagnostics) => {
        reporter.tell(diagnostics);
      },
    });
    this.#liveUpdates = new LiveUpdates({
      cluster,
      pods: this.#pods,
      signal,
      onLine: (component, line) => {
        reporter.log(component, "command", line);
      },
    });
    this.#runtime = new RuntimeFeed(this.#context, this.#pods);
    this.#local = new LocalUpdates(this.#context, (entry) => {
      this.#runtime.judge(entry);
      this.#runtime.follow(entry.deployed);
    });
    this.#builds = new ImageBuilds(
      this.#context,
      () => {
        this.#track(this.#nameAnew([]));
      },
      (work) => {
        this.#track(work);
      },
    );
    this.#cluster = new ClusterUpdates(this.#context, this.#builds, (applied) => {
      for (const entry of applied) this.#runtime.judge(entry);
      this.#runtime.follow();
    });
    this.#files = new FileWatcher({
      mostFolders: options.mostFolders,
      onChange: (paths) => {
        this.#filesChanged(paths);
      },
      onTrouble: (path, error) => {
        reporter.unwatched(`changes in ${path} go unnoticed`, error);
      },
    });
    this.#reader = new SourceReader({
      source: options.source,
      state: this.state,
      reporter,
      keptImages: this.#liveUpdates.keptImages,
      signal,
      watches: options.watches,
      accept: (loaded) => options.accept?.(loaded),
      userOf: (image) =>
        [...this.#context.components.values()].find((entry) => usesImage(entry, image))?.name,
      check: (desired) => {
        selectComponents(desired, options.only);
      },
      watch: (watched, loaded) => {
        this.#watch(watched, loaded);
      },
      take: (loaded, desired, files) => this.#take(loaded, desired, files),
    });
  }

  /** Reads the source for the first time and begins with everything. */
  async start(): Promise<void> {
    await this.#reader.begin();
    const reading = this.#reader.request(true, []);
    this.#starting = reading.catch(() => undefined);
    await reading;
    this.#pump();
  }

  /** Updates a component whatever has changed. False when there is none of that name. */
  trigger(name: string): boolean {
    const entry = this.#context.components.get(name);
    if (entry === undefined) return false;
    entry.isSelected = true;
    entry.restlessBuilds = 0;
    entry.isDisabled = false;
    entry.pending = { kind: "trigger", message: "it was triggered" };
    this.#liveUpdates.forget(entry.component);
    this.#forwards.set(entry.component, entry.objects);
    this.#pump();
    return true;
  }

  /** Starts the server of a local component anew. False when there is none. */
  async restartServer(name: string): Promise<boolean> {
    const { server, local } = this.#context.components.get(name) ?? {};
    if (server === undefined || local === undefined) return false;
    await server.start(local);
    return true;
  }

  /**
   * Ends what runs of a component and takes its objects away, until it is triggered. Returns when they
   * are gone; false when there is none of that name.
   */
  async disable(name: string): Promise<boolean> {
    const { components, state } = this.#context;
    const entry = components.get(name);
    if (entry === undefined) return false;
    if (this.#current?.desired.whole !== undefined)
      fail({
        code: "devloop.whole-program",
        summary: `${name} cannot be disabled: this source is applied as a whole`,
        hint: "take it out of the program",
      });
    entry.isDisabled = true;
    entry.applied = undefined;
    this.#mustPrune ||= entry.objects.length > 0;
    // What is being applied may bring it.
    await this.#cluster.giveUp();
    entry.pending = undefined;
    await this.#local.giveUp(entry);
    await entry.server?.stop();
    this.#forwards.remove(name);
    await this.#local.undeploy(entry);
    state.update(
      name,
      "none",
      "Disabled",
      `it is disabled; \`keelson trigger ${shellWord(name)}\` enables it`,
    );
    state.runtime(name, "none", "Disabled", "it is disabled");
    state.endpoints(name, []);
    this.#runtime.follow();
    this.#pump();
    await this.#cluster.settled();
    return true;
  }

  /** The inventory that everything is applied as; undefined before the source was read. */
  get group(): GroupReference | undefined {
    return this.#current?.loaded.group;
  }

  /** What a component consists of; undefined when there is none of that name. */
  facts(name: string): ComponentFacts | undefined {
    const entry = this.#context.components.get(name);
    const isWhole = this.#current?.desired.whole !== undefined;
    return entry === undefined ? undefined : factsOf(entry, isWhole);
  }

  /** Ends all that runs; what is in the cluster stays there. */
  async close(): Promise<void> {
    this.#stopping.abort();
    this.#files.close();
    await this.#starting;
    await this.#cluster.giveUp();
    const components = [...this.#context.components.values()];
    await Promise.all(components.map(async ({ server }) => server?.stop()));
    await this.#forwards.close();
    await Promise.allSettled(this.#work);
    await this.#runtime.close();
    this.#pods.close();
    await this.#current?.desired.close();
  }

  /** What the source wishes for now takes the place of what it wished for before. */
  async #take(
    loaded: LoadedSource,
    desired: DesiredComponents,
    files: readonly string[],
  ): Promise<number> {
    const { components } = this.#context;
    this.#isTaking = true;
    // A program that is being applied is still asked for values.
    if (this.#current?.desired.whole !== undefined) await this.#cluster.giveUp();
    await this.#current?.desired.close();
    this.#current = { loaded, desired };
    this.#limit(loaded.settings?.mostParallelUpdates ?? defaultParallelUpdates);
    const selected = selectComponents(desired, this.#options.only);
    const { gone } = compareComponents(this.#context, loaded, desired, selected, files);
    for (const entry of gone) {
      this.#mustPrune ||= entry.applied !== undefined;
      await this.#local.giveUp(entry);
      await entry.server?.stop();
      this.#forwards.remove(entry.name);
      if (entry.isDeployed)
        await this.#local.undeploy(entry).catch((error: unknown) => {
          this.#context.reporter.failed(error);
        });
    }
    for (const { component, objects, isSelected, isDisabled } of components.values())
      if (isSelected && !isDisabled) this.#forwards.set(component, objects);
    this.#isTaking = false;
    return components.size;
  }

  /** What runs keeps its place as long as the limit is the same. */
  #limit(count: number): void {
    if (count === this.#slotCount) return;
    this.#slotCount = count;
    this.#slots = new Slots(count);
  }

  #watch({ paths }: WatchedFiles, loaded: LoadedSource | undefined): void {
    if (!this.#options.watches) return;
    this.#files.watch([
      ...paths,
      ...(loaded?.builds ?? []).flatMap(buildRoots),
      ...(loaded?.localResources ?? []).flatMap(({ dependencies }) => dependencies),
      ...(loaded?.customDeploys ?? []).flatMap(({ dependencies }) => dependencies),
    ]);
  }

  #filesChanged(paths: readonly string[]): void {
    const isIgnored = settingsIgnore(this.#current?.loaded.settings);
    const files = paths.filter((path) => !isIgnored(path));
    for (const entry of this.#context.components.values()) {
      const { local, deploy, pending } = entry;
      const mine = [
        ...(local === undefined ? [] : files.filter(localMatches(local))),
        // What may be put into running containers is looked at in its turn.
        ...(deploy?.liveUpdate.length === 0 ? files.filter(deployMatches(deploy)) : []),
      ];
      const isBegun = pending !== undefined || hasBegun(this.#context, entry);
      if (mine.length > 0 && isBegun) want(this.#context, entry, mine, "");
    }
    this.#pump();
    for (const path of paths) this.#changed.add(path);
    if (paths.some(sourceMatches(this.#reader.watched))) this.#reader.giveUp();
    if (!this.#isLooking) this.#track(this.#lookAtChanges());
  }

  /** One change after the other: files of a later one must not be overtaken by those of an earlier. */
  async #lookAtChanges(): Promise<void> {
    this.#isLooking = true;
    try {
      while (this.#changed.size > 0 && !this.#stopping.signal.aborted) {
        const paths = [...this.#changed];
        this.#changed.clear();
        await this.#lookAt(paths);
      }
    } finally {
      this.#isLooking = false;
    }
  }

  async #lookAt(paths: readonly string[]): Promise<void> {
    const { loaded } = this.#current ?? {};
    const isIgnored = settingsIgnore(loaded?.settings);
    const reloading = paths.filter(sourceMatches(this.#reader.watched));
    const files = paths.filter((path) => !isIgnored(path));
    const images = (loaded?.builds ?? []).flatMap((build) => {
      const mine = files.filter(buildMatches(build));
      return mine.length === 0 ? [] : [{ build, files: mine }];
    });
    await this.#updateDeploysLive(files);
    if (reloading.length > 0) {
      await this.#reader.request(true, files.length === 0 ? reloading : files);
      this.#pump();
    } else if (images.length > 0 && !(await this.#updateLive(images))) {
      await this.#nameAnew(files);
    }
  }

  /** Puts files into what custom deploys brought; where that cannot be, their commands run again. */
  async #updateDeploysLive(paths: readonly string[]): Promise<void> {
    const { components, state, reporter } = this.#context;
    for (const entry of components.values()) {
      const { name, deploy, pending, isUpdating, isDisabled, component } = entry;
      if (deploy === undefined || deploy.liveUpdate.length === 0) continue;
      const files = paths.filter(deployMatches(deploy));
      if (files.length === 0 || !(pending !== undefined || hasBegun(this.#context, entry)))
        continue;
      const isSettled =
        pending === undefined && !isUpdating && !isDisabled && component.triggerMode !== "manual";
      const outcome = isSettled
        ? await this.#liveUpdates.updateDeploy(deploy, files, () => {
            state.update(name, "in_progress", "LiveUpdate", "files are put into its containers");
          })
        : undefined;
      if (outcome?.kind === "updated") {
        state.update(name, "ok", "LiveUpdated", outcome.message);
        continue;
      }
      if (outcome?.message !== undefined) reporter.log(name, "command", outcome.message);
      want(this.#context, entry, files, "");
    }
    this.#pump();
  }

  /** Images get the names of what their files are now; components that use others are updated. */
  async #nameAnew(files: readonly string[]): Promise<void> {
    await this.#reader.request(false, files);
    this.#pump();
  }

  /** Puts files into running containers; false when images must be built instead. */
  async #updateLive(images: readonly ChangedImage[]): Promise<boolean> {
    const { state, reporter, components } = this.#context;
    const users = [...components.values()].filter((entry) =>
      images.some(({ build }) => usesImage(entry, build.reference)),
    );
    // What is about to be built anyway, or waits for the user, is not changed under its hands; and
    // where a deploy command puts an image, only that command knows.
    const isSettled = users.every(
      ({ pending, isUpdating, component, deploy }) =>
        pending === undefined &&
        !isUpdating &&
        component.triggerMode !== "manual" &&
        deploy === undefined,
    );
    if (!isSettled || this.#current === undefined) return false;
    const outcome = await this.#liveUpdates.update(
      images,
      users.map(({ component }) => component),
      this.#current.desired.images,
      () => {
        for (const { name } of users)
          state.update(name, "in_progress", "LiveUpdate", "files are put into its containers");
      },
    );
    for (const { name } of users) {
      if (outcome.kind === "updated") state.update(name, "ok", "LiveUpdated", outcome.message);
      else if (outcome.message !== undefined) reporter.log(name, "build", outcome.message);
    }
    return outcome.kind === "updated";
  }

  /** Begins every update that nothing stands against. */
  #pump(): void {
    if (this.#stopping.signal.aborted || this.#current === undefined || this.#isTaking) return;
    const { components, state } = this.#context;
    const { desired } = this.#current;
    const batch: DevComponent[] = [];
    for (const entry of components.values()) {
      if (entry.pending === undefined || entry.isUpdating || entry.isDisabled) continue;
      const obstacle = updateObstacle(this.#context, entry);
      if (obstacle !== undefined)
        state.update(entry.name, "pending", obstacle.reason, obstacle.message);
      else if (!isLocal(entry)) batch.push(entry);
      else if (this.#builds.startFor(entry, desired.unbuilt(new Set(deployImages(entry)))))
        continue;
      else if (this.#local.mustWait(entry))
        state.update(entry.name, "pending", "Queued", "other local commands run");
      else this.#track(this.#local.run(entry));
    }
    const { isBusy, isPaused } = this.#cluster;
    if (isPaused || (batch.length === 0 && (isBusy || !this.#mustPrune))) return;
    this.#mustPrune &&= isBusy;
    const isWhole = desired.whole !== undefined;
    const all = [...components.values()].filter((entry) => !isLocal(entry));
    this.#track(this.#cluster.run(isWhole ? all : batch));
  }

  /** Work that goes on by itself; what it throws must not go unseen. */
  #track(work: Promise<void>): void {
    const watched = work
      .catch((error: unknown) => {
        this.#context.reporter.failed(error);
      })
      .finally(() => {
        this.#work.delete(watched);
      });
    this.#work.add(watched);
  }
}
