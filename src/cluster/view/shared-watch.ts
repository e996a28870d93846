import { DiagnosticError } from "../../diagnostics/index.ts";
import { identityKey, type ObjectIdentity } from "../../objects/index.ts";
import { isUnserved } from "../api/api-error.ts";
import type { ObjectKind } from "../api/api-resource.ts";
import type { Cluster } from "../cluster.ts";
import type { Timing } from "../timing.ts";
import { type Depth, keepOf } from "./depth.ts";
import { lookBeside } from "./look-beside.ts";
import type { KindState, ViewEvent } from "./kind-view.ts";
import { ObjectCopy } from "./object-copy.ts";
import { isForbidden, readWanted, type ReadQuery, type ReadTarget } from "./read-objects.ts";

/** What a watch is of. */
export interface WatchSelection {
  readonly kind: ObjectKind;
  /** Empty for all namespaces. */
  readonly namespace: string;
  readonly labelSelector: string;
  readonly fieldSelector: string;
  readonly depth: Depth;
}

/** Somebody who looks through a watch. */
export interface WatchUser {
  readonly selection: WatchSelection;
  readonly onEvent: (event: ViewEvent) => void;
  readonly onState: () => void;
  readonly onTrouble: (error: unknown) => void;
  readonly wanted: (() => Iterable<ObjectIdentity>) | undefined;
  /** Looks through another watch from now on. */
  readonly moveTo: (watch: SharedWatch) => void;
}

export interface SharedWatchOptions {
  readonly source: Pick<Cluster, "watch" | "list" | "find">;
  readonly timing: Timing;
  readonly mostObjects: number;
  /** How long a watch may be silent while somebody waits, before objects are read; 2 s unless given. */
  readonly silenceMs?: number | undefined;
  /** Called after a change of the state, when all users know of it. */
  readonly onState: () => void;
}

const firstRetryMs = 250;
const longestRetryMs = 5_000;
const firstReadMs = 500;
const longestReadMs = 5_000;
const usualSilenceMs = 2_000;

/**
 * One watch that several use. A watch that fails at the start is begun again, and objects are read until
 * it works; where watching is forbidden, objects are read again and again, ever less often while nothing
 * changes. A watch that is silent while somebody waits may be one that a proxy holds back: then objects
 * are read beside it.
 */
export class SharedWatch {
  readonly selection: WatchSelection;
  readonly copy: ObjectCopy;
  readonly users = new Set<WatchUser>();
  state: KindState = "pending";
  problem: unknown;
  /** Why objects are read instead of watched. */
  refusal: unknown;
  readonly #options: SharedWatchOptions;
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  /** Which objects the last round of reads looked for. */
  #read: ReadonlySet<string> | "all" = new Set();
  #synced = Promise.withResolvers<void>();
  #rest = new AbortController();
  #hasChanged = false;
  #isToldOf = false;
  /** How many events the watch has told. */
  #told = 0;
  /** Whether the watch failed since it last told something. */
  #isInterrupted = false;

  constructor(selection: WatchSelection, options: SharedWatchOptions) {
    this.selection = selection;
    this.#options = options;
    this.copy = new ObjectCopy({
      kind: selection.kind,
      keep: keepOf(selection.depth),
      mostObjects: options.mostObjects,
      onEvent: (event) => {
        this.#hasChanged = true;
        this.#tell((user) => {
          user.onEvent(event);
        });
      },
    });
    this.#beginAttempt();
    this.#ended = this.#run().finally(() => {
      this.#stop.abort();
      this.#synced.reject(this.#stop.signal.reason);
    });
  }

  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** Whether it is known if there is an object of this name. */
  knows(identity: ObjectIdentity): boolean {
    if (this.state === "watched" || this.#read === "all") return true;
    return this.#read.has(identityKey(identity));
  }

  /** Ends a pause between two attempts. */
  wake(): void {
    if (this.state === "watched" || this.#rest.signal.aborted) return;
    this.#rest.abort();
  }

  close(): Promise<void> {
    this.users.clear();
    this.#stop.abort();
    return this.#ended;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    let readMs = firstReadMs;
    for (let retryMs = firstRetryMs; ; retryMs = Math.min(longestRetryMs, retryMs * 2)) {
      try {
        await this.#watch();
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (isForbidden(error)) {
          this.refusal = error;
          this.#trouble(error);
          readMs = await this.#readUntilRare(readMs);
        } else if (isUnserved(error) || isFull(error)) {
          this.#fail(isUnserved(error) ? "unserved" : "pending", error);
          await this.#pause(undefined);
        } else {
          this.#trouble(error);
          await this.#readAll();
          await this.#pause(retryMs);
        }
      }
      if (signal.aborted) return;
      if (!this.#isKnown) this.#beginAttempt();
    }
  }

  async #watch(): Promise<void> {
    const { kind, ...query } = this.#query();
    const events = this.#options.source.watch(kind, {
      ...query,
      onTrouble: (error) => {
        this.#isInterrupted = true;
        this.#tellTrouble(error);
      },
    });
    const stopLooking = lookBeside({
      silenceMs: this.#options.silenceMs ?? usualSilenceMs,
      told: () => this.#told,
      read: () => this.#readBeside(),
    });
    try {
      for await (const event of events) {
        this.#told++;
        this.#isInterrupted = false;
        this.copy.take(event);
        if (event.kind === "snapshot") this.#know("watched");
      }
    } finally {
      stopLooking();
    }
  }

  /**
   * Reads beside a watch what somebody waits for, or all where the watch is known not to tell everything.
   * What it tells meanwhile counts, and not the read. True when the read brought news.
   */
  async #readBeside(): Promise<boolean> {
    const isDeaf =
      this.state !== "watched" || this.#isInterrupted || this.copy.written().length > 0;
    const wanted = [...this.users].map((user) => user.wanted);
    const asked = isDeaf ? wanted : wanted.filter((each) => each !== undefined);
    if (asked.length === 0) return false;
    this.#hasChanged = false;
    const told = this.#told;
    const isCurrent = (): boolean => this.#told === told && !this.#stop.signal.aborted;
    const copy: ReadTarget = {
      replace: (objects) => {
        if (isCurrent()) this.copy.replace(objects);
      },
      put: (object) => {
        if (isCurrent()) this.copy.put(object);
      },
      remove: (identity) => {
        if (isCurrent()) this.copy.remove(identity);
      },
    };
    try {
      const { read, problem } = await readWanted(this.#options.source, this.#query(), asked, copy);
      if (isCurrent() && this.state !== "watched") {
        this.#read = read;
        if (problem === undefined) this.#know("read");
      }
    } catch (error) {
      this.#tellTrouble(error);
    }
    return this.#hasChanged;
  }

  /** Reads until nothing has changed for a while, when it is time to ask for a watch again. */
  async #readUntilRare(firstMs: number): Promise<number> {
    let pauseMs = firstMs;
    do {
      this.#hasChanged = false;
      await this.#readAll();
      pauseMs = this.#hasChanged ? firstReadMs : Math.min(longestReadMs, pauseMs * 1.5);
      await this.#pause(pauseMs);
    } while (pauseMs < longestReadMs && !this.#stop.signal.aborted);
    return pauseMs;
  }

  async #readAll(): Promise<void> {
    const wanted = [...this.users].map((user) => user.wanted);
    const { source } = this.#options;
    const { read, problem } = await readWanted(source, this.#query(), wanted, this.copy);
    if (this.#stop.signal.aborted) return;
    this.#read = read;
    if (problem === undefined) this.#know("read");
    else if (isForbidden(problem)) this.#fail("forbidden", problem);
    else if (!this.#isKnown) this.#fail("pending", problem);
  }

  #query(): ReadQuery {
    const { kind, namespace, labelSelector, fieldSelector, depth } = this.selection;
    return {
      kind,
      ...(namespace === "" ? {} : { namespace }),
      ...(labelSelector === "" ? {} : { labelSelector }),
      ...(fieldSelector === "" ? {} : { fieldSelector }),
      ...(depth === "metadata" ? { metadataOnly: true } : {}),
      signal: this.#stop.signal,
    };
  }

  get #isKnown(): boolean {
    return this.state === "watched" || this.state === "read";
  }

  /** Whoever waits hears how this attempt ends; nobody must wait. */
  #beginAttempt(): void {
    this.#synced = Promise.withResolvers();
    this.#synced.promise.catch(() => undefined);
  }

  #know(state: "watched" | "read"): void {
    if (this.#stop.signal.aborted) return;
    if (state === "watched") {
      this.#isToldOf = false;
      this.refusal = undefined;
    }
    this.problem = undefined;
    this.#synced.resolve();
    this.#become(state);
  }

  #fail(state: KindState, error: unknown): void {
    this.problem = error;
    this.#synced.reject(error);
    if (state !== "unserved") this.#trouble(error);
    this.#become(state);
  }

  #become(state: KindState): void {
    this.state = state;
    this.#tell((user) => {
      user.onState();
    });
    this.#options.onState();
  }

  /** Waits for a time, or without one until woken. */
  async #pause(delayMs: number | undefined): Promise<void> {
    const { signal } = this.#stop;
    this.#rest = new AbortController();
    const woken = AbortSignal.any([this.#rest.signal, signal]);
    if (woken.aborted) return;
    if (delayMs !== undefined) {
      await this.#options.timing.sleep(delayMs, woken).catch(() => undefined);
    } else {
      await new Promise((resolve) => {
        woken.addEventListener("abort", resolve, { once: true });
      });
    }
  }

  /** Of failures in a row only the first is told. */
  #trouble(error: unknown): void {
    if (this.#isToldOf) return;
    this.#isToldOf = true;
    this.#tellTrouble(error);
  }

  #tellTrouble(error: unknown): void {
    for (const user of this.users) user.onTrouble(error);
  }

  #tell(tell: (user: WatchUser) => void): void {
    for (const user of this.users) {
      try {
        tell(user);
      } catch (error) {
        // One user's failure is neither the business of the others nor of the copy.
        user.onTrouble(error);
      }
    }
  }
}

function isFull(error: unknown): boolean {
  return (
    error instanceof DiagnosticError &&
    error.diagnostics.some(({ code }) => code === "cluster.cache-full")
  );
}
