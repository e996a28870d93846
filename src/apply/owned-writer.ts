import { type Cluster, isApiError, type ObjectKind } from "../cluster/index.ts";
import { DiagnosticError } from "../diagnostics/index.ts";
import type { HistoryObject } from "../inventory/index.ts";
import { identityKey, identityOf, type KubernetesObject } from "../objects/index.ts";
import { type OwnedRemoval, type OwnedStep, type StepTrouble, troubleKey } from "../plan/index.ts";
import { findTaken } from "./find-taken.ts";
import { objectChange } from "./history-entry.ts";
import { deleteLive, type OwnerMarks, releaseObject, type Removed } from "./remove-object.ts";
import { describeRefusal, writeObject, type WrittenObject } from "./write-object.ts";

/** What is known of the objects of an owner, and is told what came of writing them. */
export interface OwnerObjects {
  /** Begins to watch a kind: what its controllers make of an object must not be missed. */
  readonly watch?: ((kind: ObjectKind) => Promise<void>) | undefined;
  readonly find: (object: KubernetesObject) => KubernetesObject | undefined;
  /** Takes the answer to a write. */
  readonly written: (step: string, desired: KubernetesObject, answer: KubernetesObject) => void;
  /** Takes the answer to a deletion or a release. */
  readonly leaving: (answer: KubernetesObject) => void;
  /** Identity keys of objects that were deleted to be created anew. */
  readonly replacing: Set<string>;
}

export interface OwnedWriterOptions {
  readonly objects: OwnerObjects;
  readonly manager: string;
  /** Does something with the rights of whoever may write, or wrote, the object of a step. */
  readonly as: <T>(step: OwnedStep, work: (cluster: Cluster) => Promise<T>) => Promise<T>;
  readonly isOwn: (found: KubernetesObject) => boolean;
  /** An object of somebody else has the name: why that is refused, unless the next look tells of it. */
  readonly taken: (found: KubernetesObject) => string | undefined;
  /** By what an object says that it is the owner's. */
  readonly marksOf: (live: KubernetesObject) => OwnerMarks;
  /** Told of an object that stays and is nobody's now. */
  readonly released?: ((step: Extract<OwnedRemoval, { kind: "release" }>) => void) | undefined;
  readonly propagationPolicy: "Background" | "Foreground";
  /** Makes a text fit to be shown: what the server says of a write quotes it. */
  readonly masked: (text: string) => string;
  /** Whether an error is about the object, and not about who writes it. */
  readonly isOfObject?: ((error: DiagnosticError) => boolean) | undefined;
  readonly signal: AbortSignal;
}

type OnRetry = (cause: DiagnosticError) => void;

/**
 * Carries out the steps of one owner, one object at a time, with the rights of that owner. What goes wrong
 * with one is noted and does not stop the others.
 */
export class OwnedWriter {
  readonly #options: OwnedWriterOptions;
  readonly #troubles = new Map<string, StepTrouble>();
  /** Uids of what is gone, or nobody's, although the watch has not told of it yet. */
  readonly #gone = new Set<string>();
  #changes: HistoryObject[] = [];
  #onTrouble: (() => void) | undefined;

  constructor(options: OwnedWriterOptions) {
    this.#options = options;
  }

  /** A text without the values of Secrets that it may hold. */
  masked(text: string): string {
    return this.#options.masked(text);
  }

  /** What stands in the way, by the keys of steps. */
  get troubles(): ReadonlyMap<string, StepTrouble> {
    return this.#troubles;
  }

  /** An object as it is live, unless it is known to be gone. */
  present(live: KubernetesObject | undefined): KubernetesObject | undefined {
    return this.#gone.has(live?.metadata.uid ?? "") ? undefined : live;
  }

  /** What was done since somebody asked, for the history. */
  takeChanges(): readonly HistoryObject[] {
    const changes = this.#changes;
    this.#changes = [];
    return changes;
  }

  note(key: string, trouble: StepTrouble): void {
    this.#troubles.set(key, { ...trouble, message: this.#options.masked(trouble.message) });
  }

  /** Waits for steps; what holds them up for long is reported while they go on. */
  async reporting(steps: Promise<unknown>, report: () => Promise<void>): Promise<void> {
    let last = Promise.resolve();
    this.#onTrouble = () => {
      last = last.then(report);
      // Whoever waits for the steps hears of it, too.
      last.catch(() => undefined);
    };
    try {
      await steps;
    } finally {
      this.#onTrouble = undefined;
      await last;
    }
  }

  async carryOut(step: OwnedStep): Promise<void> {
    const key = troubleKey(step);
    await this.attempt(key, step, (onRetry) =>
      step.kind === "apply" ? this.#write(step, onRetry) : this.#remove(step, onRetry),
    );
  }

  /** Does something for a key, of which trouble is noted as of a step. */
  async attempt(
    key: string,
    step: OwnedStep | undefined,
    work: (onRetry: OnRetry) => Promise<void>,
  ): Promise<void> {
    const { isOfObject, signal } = this.#options;
    const sent = step?.object;
    const describe = (error: DiagnosticError): string =>
      describeRefusal(error, { sent, live: step === undefined ? undefined : this.#liveOf(step) });
    const kind = step?.kind ?? "other";
    try {
      await work((cause) => {
        this.note(key, { kind, isRetried: true, isUnderWay: true, message: describe(cause) });
        this.#onTrouble?.();
      });
      this.#troubles.delete(key);
    } catch (error) {
      if (!(error instanceof DiagnosticError) || signal.aborted) throw error;
      if (sent !== undefined && isOfObject?.(error) !== false)
        this.#changes.push({ key: identityKey(identityOf(sent)), action: "failed" });
      const isRetried = !isApiError(error, "Invalid", "BadRequest");
      this.note(key, { kind, isRetried, message: describe(error), cause: error });
    }
  }

  async #write(step: Extract<OwnedStep, { kind: "apply" }>, onRetry: OnRetry): Promise<void> {
    const { as, isOwn, manager, objects, signal, taken } = this.#options;
    const { object } = step;
    await objects.watch?.(object);
    let live = this.#liveOf(step);
    const write = (): Promise<WrittenObject> =>
      as(step, (cluster) =>
        // The watches tell only of objects of owners; this name may be taken by another one.
        writeObject(object, live, {
          cluster,
          manager,
          force: true,
          createsOnly: true,
          signal,
          onRetry,
        }),
      );
    let written: WrittenObject;
    try {
      written = await write();
    } catch (error) {
      if (live !== undefined || !isApiError(error, "Conflict")) throw error;
      const found = await as(step, (cluster) => findTaken(cluster, object));
      if (found === undefined) throw error;
      if (!isOwn(found)) {
        const summary = taken(found);
        if (summary === undefined) return;
        throw new DiagnosticError([{ code: "controller.name-taken", severity: "error", summary }]);
      }
      live = found;
      written = await write();
    }
    const key = identityKey(identityOf(object));
    if (written.kind === "deleted") {
      objects.replacing.add(key);
      if (written.object === undefined) this.#gone.add(written.live.metadata.uid ?? "");
      else objects.leaving(written.object);
      return;
    }
    objects.written(step.step, object, written.object);
    const change = objectChange(live, written.object);
    const isReplaced = objects.replacing.delete(key);
    if (change !== undefined)
      this.#changes.push({
        key,
        ...change,
        ...(isReplaced ? { action: "replaced" as const } : {}),
      });
  }

  async #remove(step: OwnedRemoval, onRetry: OnRetry): Promise<void> {
    const { as, manager, marksOf, objects, propagationPolicy, signal } = this.#options;
    const { kind, object } = step;
    const removed = await as(step, (cluster): Promise<Removed> =>
      kind === "delete"
        ? deleteLive(cluster, object, { signal, propagationPolicy, onRetry })
        : releaseObject(cluster, object, marksOf(object), {
            signal,
            fieldManager: manager,
            onRetry,
          }),
    );
    const answer = "object" in removed ? removed.object : undefined;
    // What has finalizers is there until the watch says otherwise, and what it depends on waits.
    const isThere = kind === "delete" && answer?.metadata.deletionTimestamp !== undefined;
    if (!isThere) this.#gone.add(object.metadata.uid ?? "");
    if (answer !== undefined && (isThere || kind === "release")) objects.leaving(answer);
    if (step.kind === "release") this.#options.released?.(step);
    else this.#changes.push({ key: identityKey(identityOf(object)), action: "pruned" });
  }

  #liveOf(step: OwnedStep): KubernetesObject | undefined {
    return step.kind === "apply"
      ? this.present(this.#options.objects.find(step.object))
      : step.object;
  }
}
