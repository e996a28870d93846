import { Slots } from "../apply/index.ts";
import type { Cluster } from "../cluster/index.ts";
import { type Diagnostic, DiagnosticError, diagnosticToJson } from "../diagnostics/index.ts";
import type { LogOrigin, RunEvent } from "../events/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import { identityKey } from "../objects/index.ts";
import { applyBatch, type BatchMember } from "./apply-batch.ts";
import {
  type DevComponent,
  identitiesOf,
  isLocal,
  keysOf,
  newComponent,
  redefine,
} from "./dev-component.ts";
import type {
  DesiredComponents,
  DevSource,
  FailedLoad,
  LoadedSource,
  WatchedFiles,
} from "./dev-source.ts";
import { DevState } from "./dev-state.ts";
import { FileWatcher } from "./files/file-watcher.ts";
import {
  buildMatches,
  buildRoots,
  isUnder,
  localMatches,
  settingsIgnore,
  sourceMatches,
} from "./files/input-match.ts";
import { logLevel } from "./log-level.ts";
import { runDeploy } from "./local/run-deploy.ts";
import { LocalServer } from "./local/local-server.ts";
import { startLocalProcess } from "./local/local-process.ts";
import { LiveUpdates } from "./live-update/live-updates.ts";
import { PodFeed } from "./pods/pod-feed.ts";
import { PodLogs } from "./pods/pod-logs.ts";
import { PortForwards } from "./pods/port-forwards.ts";
import { runtimeOf } from "./runtime-of.ts";
import { selectComponents } from "./select-components.ts";
import { StatusFeed } from "./status-feed.ts";

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
}

const defaultParallelUpdates = 3;

/**
 * Keeps a project running while its files change: reads the source again, updates the components that
 * changed, runs local commands, and follows how everything is. All that happens is in {@link state}.
 */
export class DevLoop {
  readonly state: DevState;
  readonly #options: DevLoopOptions;
  readonly #components = new Map<string, DevComponent>();
  readonly #stopping = new AbortController();
  readonly #files: FileWatcher;
  readonly #statuses: StatusFeed;
  readonly #pods: PodFeed;
  readonly #podLogs: PodLogs;
  readonly #forwards: PortForwards;
  readonly #liveUpdates: LiveUpdates;
  readonly #work = new Set<Promise<void>>();
  #slots = new Slots(defaultParallelUpdates);
  #loaded: LoadedSource | undefined;
  #desired: DesiredComponents | undefined;
  #watched: WatchedFiles = { paths: [] };
  #requested: { reload: boolean; readonly files: Set<string> } | undefined;
  #isReading = false;
  #batch: { readonly names: ReadonlySet<string>; readonly stop: AbortController } | undefined;
  #mustPrune = false;
  #isBusyAlone = false;

  constructor(options: DevLoopOptions) {
    const { cluster, now = Date.now } = options;
    this.#options = options;
    this.state = new DevState(now);
    this.#files = new FileWatcher({
      onChange: (paths) => {
        this.#track(this.#filesChanged(paths));
      },
      onTrouble: (path, error) => {
        this.#warn(`changes in ${path} go unnoticed`, error);
      },
    });
    this.#statuses = new StatusFeed({
      cluster,
      onStatus: (event) => {
        this.#statusChanged(event);
      },
      onTrouble: (error) => {
        this.#warn("nobody watches how objects are", error);
      },
    });
    this.#podLogs = new PodLogs({
      cluster,
      since: now(),
      signal: this.#stopping.signal,
      onLine: (component, _pod, line) => {
        this.#log(component, "pod", line);
      },
    });
    this.#pods = new PodFeed({
      cluster,
      onPod: (component, pod, isGone) => {
        this.#podChanged(component, pod, isGone);
      },
      onTrouble: (error) => {
        this.#warn("nobody watches pods", error);
      },
    });
    this.#forwards = new PortForwards({
      cluster,
      pods: this.#pods,
      onEndpoints: (component, endpoints) => {
        this.state.endpoints(component, endpoints);
      },
      onTrouble: (component, diagnostics) => {
        this.#tell(diagnostics, "warning");
        this.#log(component, "server", diagnostics[0]?.summary ?? "");
      },
    });
    this.#liveUpdates = new LiveUpdates({
      cluster,
      pods: this.#pods,
      signal: this.#stopping.signal,
      onLine: (component, line) => {
        this.#log(component, "command", line);
      },
    });
  }

  /** Reads the source for the first time and begins with everything. */
  async start(): Promise<void> {
    await this.#request(true, []);
  }

  /** Updates a component whatever has changed. False when there is none of that name. */
  trigger(name: string): boolean {
    const entry = this.#components.get(name);
    if (entry === undefined) return false;
    entry.isSelected = true;
    entry.pending = { kind: "trigger", message: "it was triggered" };
    this.#liveUpdates.forget(entry.component);
    this.#pump();
    return true;
  }

  /** Restarts everything that is read from the source. */
  reload(): void {
    this.#track(this.#request(true, []));
  }

  /** Ends all that runs; what is in the cluster stays there. */
  async close(): Promise<void> {
    this.#stopping.abort();
    this.#files.close();
    this.#batch?.stop.abort();
    await Promise.all([...this.#components.values()].map(async ({ server }) => server?.stop()));
    await this.#forwards.close();
    await Promise.allSettled(this.#work);
    await this.#statuses.close();
    await this.#pods.close();
    await this.#desired?.close();
  }

  // --- reading ---

  /** Reads again; requests that come meanwhile are answered by one more reading. */
  async #request(reload: boolean, files: readonly string[]): Promise<void> {
    this.#requested ??= { reload: false, files: new Set() };
    this.#requested.reload ||= reload;
    for (const file of files) this.#requested.files.add(file);
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#requested !== undefined && !this.#stopping.signal.aborted) {
        const request: { readonly reload: boolean; readonly files: ReadonlySet<string> } =
          this.#requested;
        this.#requested = undefined;
        if (request.reload || this.#loaded === undefined) await this.#load([...request.files]);
        else await this.#desire(this.#loaded, [...request.files]);
      }
    } finally {
      this.#isReading = false;
    }
  }

  async #load(files: readonly string[]): Promise<void> {
    this.state.emit({ type: "load", status: "started", files });
    const loaded = await this.#options.source.load(this.#stopping.signal);
    if (loaded.kind === "failed") {
      this.#loadFailed(loaded, files);
      return;
    }
    this.#options.accept?.(loaded);
    this.#watch(loaded.watched, loaded);
    this.#tell(loaded.warnings, "warning");
    await this.#desire(loaded, files);
  }

  /** The last good state goes on; the files of the bad one are watched with those of the good. */
  #loadFailed({ diagnostics, watched }: FailedLoad, files: readonly string[]): void {
    const before = this.#watched;
    this.#watch(
      {
        paths: [...watched.paths, ...before.paths],
        isInput: (path) => (watched.isInput?.(path) ?? true) || (before.isInput?.(path) ?? true),
      },
      this.#loaded,
    );
    const message =
      this.#loaded === undefined
        ? "the source cannot be read; it is read again when it changes"
        : "the source cannot be read; what was read before goes on";
    this.state.setSource({ status: "error", message });
    this.#tell(diagnostics, "error");
    this.state.emit({ type: "load", status: "failed", files, message });
  }

  async #desire(loaded: LoadedSource, files: readonly string[]): Promise<void> {
    let desired: DesiredComponents | undefined;
    try {
      desired = await loaded.desired({
        keptImages: this.#liveUpdates.keptImages,
        emit: (event) => {
          this.state.emit(event);
        },
        signal: this.#stopping.signal,
      });
      selectComponents(desired, this.#options.only);
    } catch (error) {
      await desired?.close();
      if (this.#stopping.signal.aborted) return;
      if (!(error instanceof DiagnosticError)) throw error;
      this.#loadFailed(
        { kind: "failed", diagnostics: error.diagnostics, watched: loaded.watched },
        files,
      );
      return;
    }
    await this.#desired?.close();
    this.#desired = desired;
    this.#loaded = loaded;
    this.#slots = new Slots(loaded.settings?.mostParallelUpdates ?? defaultParallelUpdates);
    await this.#take(loaded, desired, files);
    const count = this.#components.size;
    const message = `${count} ${count === 1 ? "component" : "components"}`;
    this.state.setSource({ status: "ok", message });
    this.state.emit({ type: "load", status: "successful", files, message });
    this.#pump();
  }

  /** Compares what is wished for now with what was. */
  async #take(
    loaded: LoadedSource,
    desired: DesiredComponents,
    files: readonly string[],
  ): Promise<void> {
    const selected = selectComponents(desired, this.#options.only);
    const isFirst = this.#components.size === 0;
    const names = new Set(desired.components.map(({ component }) => component.name));
    for (const [name, entry] of this.#components) {
      if (names.has(name)) continue;
      this.#components.delete(name);
      this.#mustPrune ||= entry.applied !== undefined || entry.deployed.length > 0;
      await entry.server?.stop();
      this.#forwards.remove(name);
      this.state.remove(name);
    }
    for (const each of desired.components) {
      const { component } = each;
      const { name, kind, labels, triggerMode = "auto", dependsOn } = component;
      const known = this.#components.get(name);
      const entry = known ?? newComponent(each);
      this.#components.set(name, entry);
      const isChanged = redefine(entry, each, loaded);
      this.state.put({ name, kind, labels, triggerMode, dependsOn });
      if (known === undefined) {
        entry.isSelected = selected.has(name);
        const begins = entry.isSelected && component.autoInit;
        entry.pending = begins
          ? { kind: "initial", message: isFirst ? "it begins" : "it is new" }
          : undefined;
        if (!begins) {
          const why = entry.isSelected ? "auto_init is off" : "it was not chosen";
          this.state.update(name, "none", "NotStarted", `${why}; \`keelson trigger ${name}\``);
        }
      } else if (isChanged && (known.pending !== undefined || this.#hasRun(known))) {
        this.#want(entry, files, "its definition changed");
      }
      if (entry.isSelected) this.#forwards.set(component, entry.objects);
    }
    // In the order in which the source has them.
    const order = desired.components.flatMap(
      ({ component }) => this.#components.get(component.name) ?? [],
    );
    this.#components.clear();
    for (const entry of order) this.#components.set(entry.name, entry);
  }

  #want(entry: DevComponent, files: readonly string[], otherwise: string): void {
    for (const file of files) entry.changedFiles.add(file);
    this.state.changedFiles(entry.name, [...entry.changedFiles]);
    const [first] = files;
    const message = first === undefined ? otherwise : `${first} changed`;
    entry.pending ??= { kind: "change", message };
  }

  // --- files ---

  #watch(watched: WatchedFiles, loaded: LoadedSource | undefined): void {
    this.#watched = watched;
    if (!this.#options.watches) return;
    this.#files.watch([
      ...watched.paths,
      ...(loaded?.builds ?? []).flatMap(buildRoots),
      ...(loaded?.localResources ?? []).flatMap(({ dependencies }) => dependencies),
      ...(loaded?.customDeploys ?? []).flatMap(({ dependencies }) => dependencies),
    ]);
  }

  async #filesChanged(paths: readonly string[]): Promise<void> {
    const loaded = this.#loaded;
    const isIgnored = settingsIgnore(loaded?.settings);
    const reloading = paths.filter(sourceMatches(this.#watched));
    const files = paths.filter((path) => !isIgnored(path));
    for (const entry of this.#components.values()) {
      const { local, deploy } = entry;
      const mine = [
        ...(local === undefined ? [] : files.filter(localMatches(local))),
        ...(deploy === undefined ? [] : files.filter((path) => isUnder(deploy.dependencies, path))),
      ];
      const isBegun = entry.pending !== undefined || entry.isUpdating || this.#hasRun(entry);
      if (mine.length > 0 && isBegun) this.#want(entry, mine, "");
    }
    const images = (loaded?.builds ?? []).flatMap((build) => {
      const mine = files.filter(buildMatches(build));
      return mine.length === 0 ? [] : [{ build, files: mine }];
    });
    const isLive = images.length > 0 && reloading.length === 0 && (await this.#updateLive(images));
    if (reloading.length > 0 || (images.length > 0 && !isLive))
      await this.#request(reloading.length > 0, files.length === 0 ? reloading : files);
    this.#pump();
  }

  #hasRun({ name }: DevComponent): boolean {
    return this.state.component(name)?.lastUpdate !== undefined;
  }

  /** Puts files into running containers; false when images must be built instead. */
  async #updateLive(images: Parameters<LiveUpdates["update"]>[0]): Promise<boolean> {
    const users = [...this.#components.values()].filter(({ component }) =>
      component.images.some(({ build }) => images.some((image) => image.build.reference === build)),
    );
    // What is about to be built anyway, or waits for the user, is not changed under its hands.
    const isSettled = users.every(
      ({ pending, isUpdating, component }) =>
        pending === undefined && !isUpdating && component.triggerMode !== "manual",
    );
    if (!isSettled || this.#desired === undefined) return false;
    const names = users.map(({ name }) => name);
    const outcome = await this.#liveUpdates.update(
      images,
      users.map(({ component }) => component),
      this.#desired.images,
      () => {
        for (const name of names)
          this.state.update(name, "in_progress", "LiveUpdate", "files are put into its containers");
      },
    );
    for (const name of names) {
      if (outcome.kind === "updated") this.state.update(name, "ok", "LiveUpdated", outcome.message);
      else if (outcome.message !== undefined) this.#log(name, "build", outcome.message);
    }
    return outcome.kind === "updated";
  }

  // --- updating ---

  /** Begins every update that nothing stands against. */
  #pump(): void {
    if (this.#stopping.signal.aborted) return;
    const batch: DevComponent[] = [];
    for (const entry of this.#components.values()) {
      if (entry.pending === undefined || entry.isUpdating) continue;
      const obstacle = this.#obstacleOf(entry);
      if (obstacle !== undefined) {
        this.state.update(entry.name, "pending", obstacle.reason, obstacle.message);
      } else if (isLocal(entry)) {
        if (
          entry.local?.allowsParallel === true ||
          entry.deploy !== undefined ||
          !this.#isBusyAlone
        )
          this.#track(this.#runLocal(entry));
        else this.state.update(entry.name, "pending", "Queued", "other local commands run");
      } else {
        batch.push(entry);
      }
    }
    const whole = this.#desired?.whole !== undefined;
    const all = [...this.#components.values()].filter((entry) => !isLocal(entry));
    if (batch.length > 0 || this.#mustPrune)
      this.#track(this.#runBatch(whole && batch.length > 0 ? all : batch));
  }

  #obstacleOf({
    pending,
    component,
    isSelected,
  }: DevComponent): { readonly reason: string; readonly message: string } | undefined {
    if (component.triggerMode === "manual" && pending?.kind === "change")
      return {
        reason: "ManualTrigger",
        message: `${pending.message}; \`keelson trigger ${component.name}\` updates it`,
      };
    // A program is ordered by its own plan.
    if (!isSelected || this.#desired?.whole !== undefined) return undefined;
    for (const name of component.dependsOn) {
      const other = this.state.component(name);
      if (other === undefined) continue;
      const { update, runtime } = other;
      const isReady =
        update.status === "ok" && (runtime.status === "ok" || runtime.status === "not_applicable");
      if (isReady) continue;
      const why = update.status === "ok" ? runtime : update;
      return { reason: "WaitingForDependency", message: `waits for ${name}: ${why.message}` };
    }
    return undefined;
  }

  async #runLocal(entry: DevComponent): Promise<void> {
    const { name } = entry;
    const isAlone = entry.local !== undefined && !entry.local.allowsParallel;
    entry.isUpdating = true;
    if (isAlone) this.#isBusyAlone = true;
    try {
      await this.#slots.run(async () => {
        const message = entry.pending?.message ?? "";
        entry.pending = undefined;
        entry.changedFiles.clear();
        this.state.changedFiles(name, []);
        if (this.#stopping.signal.aborted) return;
        this.state.update(name, "in_progress", "Running", message);
        if (entry.deploy === undefined) await this.#runCommands(entry);
        else await this.#deploy(entry);
      });
    } finally {
      entry.isUpdating = false;
      if (isAlone) this.#isBusyAlone = false;
    }
    this.#pump();
  }

  async #runCommands(entry: DevComponent): Promise<void> {
    const { name, local } = entry;
    if (local === undefined) return;
    const { environment } = this.#options;
    if (local.update !== undefined) {
      let lastLine = "";
      const running = startLocalProcess(local.update, environment, (line) => {
        lastLine = line;
        this.#log(name, "command", line);
      });
      const stop = (): void => void running.stop();
      this.#stopping.signal.addEventListener("abort", stop, { once: true });
      const { code, message } = await running.ended;
      this.#stopping.signal.removeEventListener("abort", stop);
      if (this.#stopping.signal.aborted) return;
      if (code !== 0) {
        const detail = lastLine === "" ? "" : `: ${lastLine}`;
        this.state.update(name, "error", "CommandFailed", `${message}${detail}`);
        if (this.state.component(name)?.runtime.status === "none")
          this.state.runtime(name, "none", "NotStarted", "its command failed");
        return;
      }
    }
    if (local.serve === undefined) {
      this.state.runtime(name, "not_applicable", "NoServer", "it has no server");
    } else {
      entry.server ??= new LocalServer({
        environment,
        onLine: (line) => {
          this.#log(name, "server", line);
        },
        onRuntime: (status, reason, message) => {
          this.state.runtime(name, status, reason, message);
          this.#pump();
        },
      });
      await entry.server.start(local);
    }
    if (local.update === undefined)
      this.state.update(name, "ok", "Started", "its server was started");
    else this.state.update(name, "ok", "CommandSucceeded", "its command succeeded");
    this.state.endpoints(name, entry.component.links);
  }

  async #deploy(entry: DevComponent): Promise<void> {
    const { name, deploy } = entry;
    if (deploy === undefined) return;
    const outcome = await runDeploy(deploy, {
      environment: this.#options.environment,
      images: this.#desired?.images ?? new Map(),
      namespace: this.#options.cluster.namespace,
      onLine: (line) => {
        this.#log(name, "command", line);
      },
      signal: this.#stopping.signal,
    });
    if (this.#stopping.signal.aborted) return;
    if (outcome.kind === "failed") {
      this.state.update(name, "error", "CommandFailed", outcome.message);
      return;
    }
    entry.deployed = outcome.objects;
    entry.readiness.clear();
    this.state.update(name, "ok", "CommandSucceeded", "its command succeeded");
    this.#follow();
  }

  async #runBatch(entries: readonly DevComponent[]): Promise<void> {
    const running = this.#batch;
    if (running !== undefined) {
      // What is being built or written is out of date: the next batch does it again.
      if (entries.some(({ name }) => running.names.has(name))) running.stop.abort();
      for (const { name } of entries)
        if (!running.names.has(name))
          this.state.update(name, "pending", "Queued", "other components are being applied");
      return;
    }
    const desired = this.#desired;
    const group = this.#loaded?.group;
    if (desired === undefined || group === undefined) return;
    const stop = new AbortController();
    const names = new Set(entries.map(({ name }) => name));
    this.#batch = { names, stop };
    this.#mustPrune = false;
    const taken = new Map(
      entries.map((entry) => [entry, { pending: entry.pending, objects: entry.objects }]),
    );
    for (const entry of entries) {
      entry.isUpdating = false;
      const message = entry.pending?.message ?? "the program changed";
      entry.pending = undefined;
      entry.changedFiles.clear();
      this.state.changedFiles(entry.name, []);
      this.state.update(entry.name, "in_progress", "Applying", message);
    }
    const signal = AbortSignal.any([stop.signal, this.#stopping.signal]);
    try {
      const { failures } = await applyBatch({
        cluster: this.#options.cluster,
        group,
        desired,
        members: this.#members(names),
        kept: this.#keptKeys(names),
        slots: this.#slots,
        holder: this.#options.holder,
        emit: (event) => {
          this.#applyEvent(event);
        },
        signal,
      });
      if (signal.aborted) this.#putBack(taken);
      else this.#applied(taken, failures);
    } catch (error) {
      if (signal.aborted) this.#putBack(taken);
      else if (error instanceof DiagnosticError)
        this.#applied(taken, new Map([...names].map((name) => [name, error.diagnostics])));
      else throw error;
    } finally {
      this.#batch = undefined;
    }
    this.#pump();
  }

  #members(updated: ReadonlySet<string>): readonly BatchMember[] {
    return [...this.#components.values()].flatMap(({ name, component, objects, applied }) => {
      const isUpdated = updated.has(name);
      const given = isUpdated ? objects : applied;
      return given === undefined || given.length === 0
        ? []
        : [{ name, comesFirst: component.kind === "uncategorized", objects: given, isUpdated }];
    });
  }

  /** All that the source wishes for and that this batch does not bring. */
  #keptKeys(updated: ReadonlySet<string>): ReadonlySet<string> {
    return new Set(
      [...this.#components.values()]
        .filter(({ name }) => !updated.has(name))
        .flatMap(({ objects }) => keysOf(objects)),
    );
  }

  /** An update that was given up is wanted again. */
  #putBack(taken: ReadonlyMap<DevComponent, { readonly pending: DevComponent["pending"] }>): void {
    for (const [entry, { pending }] of taken) {
      entry.pending ??= pending ?? { kind: "change", message: "it was interrupted" };
      if (pending?.kind === "initial") entry.pending = pending;
    }
  }

  #applied(
    taken: ReadonlyMap<DevComponent, Pick<DevComponent, "objects">>,
    failures: ReadonlyMap<string, readonly Diagnostic[]>,
  ): void {
    for (const [entry, { objects }] of taken) {
      const { name } = entry;
      const problems = failures.get(name);
      if (problems !== undefined) {
        this.#tell(problems, "error");
        this.state.update(name, "error", "UpdateFailed", problems[0]?.summary ?? "");
        continue;
      }
      entry.applied = objects;
      entry.readiness.clear();
      const count = objects.length;
      this.state.update(
        name,
        "ok",
        "Applied",
        `${count} ${count === 1 ? "object is" : "objects are"} applied`,
      );
      this.#judge(entry);
    }
    this.#follow();
  }

  // --- how things are ---

  #follow(): void {
    const entries = [...this.#components.values()];
    this.#pods.follow(
      entries.map((entry) => ({
        component: entry.name,
        objects: identitiesOf(entry),
        selectors: entry.component.extraPodSelectors,
        onlySelectors: entry.component.discoveryStrategy === "selectors-only",
      })),
    );
    const identities = new Map(
      entries.flatMap(identitiesOf).map((identity) => [identityKey(identity), identity]),
    );
    this.#statuses.follow([...identities.values()]);
  }

  #statusChanged(event: Extract<RunEvent, { readonly type: "status" }>): void {
    const key = identityKey(event.object);
    for (const entry of this.#components.values()) {
      if (!identitiesOf(entry).some((identity) => identityKey(identity) === key)) continue;
      entry.readiness.set(key, event);
      this.#judge(entry);
    }
    this.#pump();
  }

  #judge(entry: DevComponent): void {
    const { status, reason, message } = runtimeOf(entry, this.#pods.podsOf(entry.name));
    this.state.runtime(entry.name, status, reason, message);
  }

  #podChanged(component: string, pod: KubernetesObject, isGone: boolean): void {
    if (isGone) return;
    this.#podLogs.look(component, pod);
    const entry = this.#components.get(component);
    if (entry === undefined) return;
    this.#liveUpdates.podSeen(
      entry.component,
      this.#loaded?.builds ?? [],
      pod,
      this.#desired?.images,
    );
    if (entry.component.podReadiness === "succeeded") {
      this.#judge(entry);
      this.#pump();
    }
  }

  // --- telling ---

  /** What an apply says, as far as a loop has something to add to it. */
  #applyEvent(event: RunEvent): void {
    switch (event.type) {
      case "apply":
        if (event.change !== "unchanged") this.state.emit(event);
        return;
      case "build":
        if (event.status !== "cached") this.state.emit(event);
        return;
      case "plan":
        if (event.status !== "unchanged") this.state.emit(event);
        return;
      case "summary":
      case "group":
      case "wait":
      case "status":
        return;
      case "component":
      case "delete":
      case "error":
      case "load":
      case "log":
      case "prune":
      case "validation":
      case "warning":
        this.state.emit(event);
    }
  }

  #log(component: string, origin: LogOrigin, message: string): void {
    const level = logLevel(message);
    this.state.emit({ type: "log", resource: component, component, origin, level, message });
  }

  #tell(diagnostics: readonly Diagnostic[], type: "error" | "warning"): void {
    for (const diagnostic of diagnostics)
      this.state.emit({
        type: diagnostic.severity === "warning" ? "warning" : type,
        ...diagnosticToJson(diagnostic),
      });
  }

  #warn(summary: string, error: unknown): void {
    if (this.#stopping.signal.aborted) return;
    const detail = error instanceof Error ? error.message : String(error);
    this.#tell([{ code: "devloop.watch", severity: "warning", summary, detail }], "warning");
  }

  /** Work that goes on by itself; a defect in it must not go unseen. */
  #track(work: Promise<void>): void {
    const watched = work
      .catch((error: unknown) => {
        if (this.#stopping.signal.aborted) return;
        const summary =
          error instanceof DiagnosticError
            ? (error.diagnostics[0]?.summary ?? error.message)
            : `Keelson failed unexpectedly: ${error instanceof Error ? error.message : String(error)}`;
        this.#tell([{ code: "cli.internal", severity: "error", summary }], "error");
      })
      .finally(() => {
        this.#work.delete(watched);
      });
    this.#work.add(watched);
  }
}
