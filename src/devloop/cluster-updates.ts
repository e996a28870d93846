import { type Diagnostic, DiagnosticError } from "../diagnostics/index.ts";
import type { RunEvent } from "../events/index.ts";
import { applyBatch, type BatchEnd, type BatchMember } from "./apply-batch.ts";
import { type DevComponent, keysOf } from "./dev-component.ts";
import type { DevContext } from "./dev-context.ts";
import type { ImageBuilds } from "./image-builds.ts";

interface Batch {
  readonly names: ReadonlySet<string>;
  readonly stop: AbortController;
  readonly ended: PromiseWithResolvers<void>;
}

type Taken = Map<DevComponent, Pick<DevComponent, "objects" | "pending">>;

/** Updates components that are objects in the cluster: all that want it in one apply. */
export class ClusterUpdates {
  readonly #context: DevContext;
  /** Told when objects have been written. */
  readonly #onApplied: (entries: readonly DevComponent[]) => void;
  readonly #builds: ImageBuilds;
  #batch: Batch | undefined;
  #isPaused = false;
  #isAway = false;

  constructor(
    context: DevContext,
    builds: ImageBuilds,
    onApplied: (entries: readonly DevComponent[]) => void,
  ) {
    this.#context = context;
    this.#builds = builds;
    this.#onApplied = onApplied;
  }

  get isBusy(): boolean {
    return this.#batch !== undefined;
  }

  /** Whether the cluster did not answer a moment ago. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Waits until what is being applied is. */
  async settled(): Promise<void> {
    await this.#batch?.ended.promise;
  }

  /** Gives up what is being applied, and waits until that is over; it is wanted again then. */
  async giveUp(): Promise<void> {
    const ended = this.#batch?.ended.promise;
    this.#batch?.stop.abort();
    await ended;
  }

  /** Applies components, or has them wait; without any, only what left the source is pruned. */
  async run(entries: readonly DevComponent[]): Promise<void> {
    const { state, signal: ending, pump } = this.#context;
    if (this.#batch !== undefined) {
      this.#queue(entries, this.#batch);
      return;
    }
    const stop = new AbortController();
    const names = new Set(entries.map(({ name }) => name));
    const batch = { names, stop, ended: Promise.withResolvers<void>() };
    this.#batch = batch;
    const taken: Taken = new Map(
      entries.map((entry) => [entry, { pending: entry.pending, objects: entry.objects }]),
    );
    for (const entry of entries) {
      const message = entry.pending?.message ?? "the program changed";
      entry.pending = undefined;
      entry.changedFiles.clear();
      state.changedFiles(entry.name, []);
      state.update(entry.name, "in_progress", "Applying", message);
    }
    const signal = AbortSignal.any([stop.signal, ending]);
    try {
      const { failures, unbuilt } = await this.#apply(names, signal);
      if (signal.aborted) putBack(taken);
      else {
        for (const [entry, { pending }] of taken) {
          const images = unbuilt.get(entry.name);
          if (images === undefined) continue;
          taken.delete(entry);
          this.#builds.start(entry, pending, images);
        }
        this.#applied(taken, failures);
      }
    } catch (error) {
      const away = error instanceof DiagnosticError ? error.diagnostics.find(isAway) : undefined;
      if (signal.aborted) putBack(taken);
      else if (away !== undefined) this.#pause(taken, away);
      else if (error instanceof DiagnosticError) {
        // Nobody knows whose fault it was, so that whatever is read next is worth another try.
        for (const entry of taken.keys()) entry.fingerprint = "";
        this.#applied(taken, new Map([...names].map((name) => [name, error.diagnostics])));
      } else throw error;
    } finally {
      this.#batch = undefined;
      batch.ended.resolve();
    }
    pump();
  }

  /** What is being built or written and has changed again is given up: the next batch does it. */
  #queue(entries: readonly DevComponent[], { names, stop }: Batch): void {
    if (entries.some(({ name }) => names.has(name))) stop.abort();
    for (const { name } of entries)
      if (!names.has(name))
        this.#context.state.update(name, "pending", "Queued", "other components are being applied");
  }

  async #apply(names: ReadonlySet<string>, signal: AbortSignal): Promise<BatchEnd> {
    const { cluster, holder, reporter, current } = this.#context;
    const source = current();
    if (source === undefined) return { failures: new Map(), unbuilt: new Map() };
    return applyBatch({
      cluster,
      group: source.loaded.group,
      desired: source.desired,
      members: this.#members(names),
      kept: this.#keptKeys(names),
      holder,
      emit: (event) => {
        this.#tellWaiting(event, names);
        reporter.applied(event);
      },
      signal,
    });
  }

  /** Another run may hold the inventory, or one that was killed for as long as its Lease lasts. */
  #tellWaiting(event: RunEvent, names: ReadonlySet<string>): void {
    if (event.type !== "group" || event.action !== "inventory" || event.message === undefined)
      return;
    const { state } = this.#context;
    for (const name of names) state.update(name, "in_progress", "Locked", event.message);
  }

  /** Nothing can be done until the cluster answers: it is tried again after a while. */
  #pause(taken: Taken, problem: Diagnostic): void {
    const { state, reporter, signal, pump } = this.#context;
    putBack(taken);
    if (!this.#isAway) reporter.tell([{ ...problem, severity: "warning" }]);
    this.#isAway = true;
    this.#isPaused = true;
    const message = `${problem.summary}; it is tried again every ${retryMs / 1_000} s`;
    for (const { name } of taken.keys()) state.update(name, "pending", "Unreachable", message);
    const goOn = (): void => {
      clearTimeout(timer);
      this.#isPaused = false;
      pump();
    };
    const timer = setTimeout(goOn, retryMs);
    signal.addEventListener("abort", goOn, { once: true });
  }

  #members(updated: ReadonlySet<string>): readonly BatchMember[] {
    const all = [...this.#context.components.values()];
    return all.flatMap(({ name, component, objects, applied }) => {
      const isUpdated = updated.has(name);
      const given = isUpdated ? objects : applied;
      return given === undefined || given.length === 0
        ? []
        : [{ name, comesFirst: component.kind === "uncategorized", objects: given, isUpdated }];
    });
  }

  /** All that the source wishes for and that this batch does not bring; what is disabled goes. */
  #keptKeys(updated: ReadonlySet<string>): ReadonlySet<string> {
    return new Set(
      [...this.#context.components.values()]
        .filter(({ name, isDisabled }) => !updated.has(name) && !isDisabled)
        .flatMap(({ objects }) => keysOf(objects)),
    );
  }

  #applied(taken: Taken, failures: ReadonlyMap<string, readonly Diagnostic[]>): void {
    const { state, reporter } = this.#context;
    const told = new Set<Diagnostic>();
    this.#isAway = false;
    const applied: DevComponent[] = [];
    for (const [entry, { objects }] of taken) {
      const { name } = entry;
      const problems = failures.get(name);
      if (problems !== undefined) {
        reporter.tell(problems.filter((problem) => !told.has(problem)));
        for (const problem of problems) told.add(problem);
        state.update(name, "error", "UpdateFailed", problems[0]?.summary ?? "");
        continue;
      }
      entry.applied = objects;
      entry.readiness.clear();
      const count = objects.length;
      const message = `${count} ${count === 1 ? "object is" : "objects are"} applied`;
      state.update(name, "ok", "Applied", message);
      applied.push(entry);
    }
    this.#onApplied(applied);
  }
}

const retryMs = 2_000;

function isAway({ code }: Diagnostic): boolean {
  return code === "cluster.unreachable";
}

/** An update that was given up is wanted again. */
function putBack(taken: Taken): void {
  for (const [entry, { pending }] of taken) {
    const before = pending ?? { kind: "change", message: "it was interrupted" };
    // What has begun by itself, or was asked for, need not be asked for again.
    if (entry.pending === undefined || before.kind !== "change") entry.pending = before;
  }
}
