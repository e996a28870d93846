import { type Diagnostic, DiagnosticError } from "../diagnostics/index.ts";
import { applyBatch, type BatchMember } from "./apply-batch.ts";
import { type DevComponent, keysOf } from "./dev-component.ts";
import type { DevContext } from "./dev-context.ts";

interface Batch {
  readonly names: ReadonlySet<string>;
  readonly stop: AbortController;
  readonly ended: PromiseWithResolvers<void>;
}

type Taken = ReadonlyMap<DevComponent, Pick<DevComponent, "objects" | "pending">>;

/** Updates components that are objects in the cluster: all that want it in one apply. */
export class ClusterUpdates {
  readonly #context: DevContext;
  /** Told when objects have been written. */
  readonly #onApplied: (entries: readonly DevComponent[]) => void;
  #batch: Batch | undefined;

  constructor(context: DevContext, onApplied: (entries: readonly DevComponent[]) => void) {
    this.#context = context;
    this.#onApplied = onApplied;
  }

  get isBusy(): boolean {
    return this.#batch !== undefined;
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
      const failures = await this.#apply(names, signal);
      if (signal.aborted) putBack(taken);
      else this.#applied(taken, failures);
    } catch (error) {
      if (signal.aborted) putBack(taken);
      else if (error instanceof DiagnosticError)
        this.#applied(taken, new Map([...names].map((name) => [name, error.diagnostics])));
      else throw error;
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

  async #apply(
    names: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly Diagnostic[]>> {
    const { cluster, holder, reporter, current, slots } = this.#context;
    const source = current();
    if (source === undefined) return new Map();
    const { failures } = await applyBatch({
      cluster,
      group: source.loaded.group,
      desired: source.desired,
      members: this.#members(names),
      kept: this.#keptKeys(names),
      slots: slots(),
      holder,
      emit: (event) => {
        reporter.applied(event);
      },
      signal,
    });
    return failures;
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

/** An update that was given up is wanted again. */
function putBack(taken: Taken): void {
  for (const [entry, { pending }] of taken) {
    const before = pending ?? { kind: "change", message: "it was interrupted" };
    // What has begun by itself, or was asked for, need not be asked for again.
    if (entry.pending === undefined || before.kind !== "change") entry.pending = before;
  }
}
