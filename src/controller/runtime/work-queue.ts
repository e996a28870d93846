import { backoffMs, systemTiming, type Timing } from "../../cluster/index.ts";

/** What became of one piece of work: done until something changes, or to be looked at again. */
export type Worked =
  | { readonly kind: "done" }
  | { readonly kind: "again"; readonly afterMs: number };

export interface WorkQueueOptions {
  readonly work: (key: string) => Promise<Worked>;
  /** Keys worked on at once. */
  readonly workers: number;
  /** Told of each failure, with what happens next. */
  readonly onFailure?: (key: string, error: unknown, retryAfterMs: number) => void;
  readonly timing?: Timing;
  /** The longest pause between two attempts; there is no limit to their number. */
  readonly longestPauseMs?: number;
}

const fiveMinutesMs = 300_000;
const firstPauseMs = 100;

/**
 * Keys that want work. A key is worked on by one worker at a time; added meanwhile, it is worked on once
 * more afterwards, however often it was added. What fails is tried again with growing pauses.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #timing: Timing;
  /** Keys that wait for a worker, in the order in which they came. */
  readonly #waiting = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();
  /** Keys that were added while they were worked on. */
  readonly #dirty = new Set<string>();
  readonly #delayed = new Map<string, { readonly timer: NodeJS.Timeout; readonly at: number }>();
  readonly #failures = new Map<string, number>();
  #state: "paused" | "working" | "stopped" = "paused";

  constructor(options: WorkQueueOptions) {
    this.#options = options;
    this.#timing = options.timing ?? systemTiming;
  }

  /** Keys that wait or are worked on. */
  get depth(): number {
    return this.#waiting.size + this.#running.size;
  }

  /** Wants work on a key as soon as a worker is free. */
  add(key: string): void {
    if (this.#state === "stopped") return;
    this.#cancelDelay(key);
    if (this.#running.has(key)) this.#dirty.add(key);
    else this.#waiting.add(key);
    this.#next();
  }

  /** Wants work on a key after a while; of several such wishes the earliest counts. */
  addAfter(key: string, delayMs: number): void {
    if (this.#state === "stopped") return;
    const at = this.#timing.now() + delayMs;
    const known = this.#delayed.get(key);
    if (known !== undefined && known.at <= at) return;
    this.#cancelDelay(key);
    const timer = setTimeout(() => {
      this.#delayed.delete(key);
      this.add(key);
    }, delayMs);
    timer.unref();
    this.#delayed.set(key, { timer, at });
  }

  /** Forgets how often a key failed: what it is about has changed. */
  forgive(key: string): void {
    this.#failures.delete(key);
  }

  /** Begins to work on what was added; until then keys only gather. */
  start(): void {
    if (this.#state !== "paused") return;
    this.#state = "working";
    this.#next();
  }

  /** Begins nothing new; resolves when what is under way has ended. */
  async stop(): Promise<void> {
    this.#state = "stopped";
    for (const { timer } of this.#delayed.values()) clearTimeout(timer);
    this.#delayed.clear();
    this.#waiting.clear();
    this.#dirty.clear();
    await Promise.all(this.#running.values());
  }

  #cancelDelay(key: string): void {
    clearTimeout(this.#delayed.get(key)?.timer);
    this.#delayed.delete(key);
  }

  #next(): void {
    while (this.#state === "working" && this.#running.size < this.#options.workers) {
      const [key] = this.#waiting;
      if (key === undefined) return;
      this.#waiting.delete(key);
      this.#running.set(key, this.#work(key));
    }
  }

  async #work(key: string): Promise<void> {
    // Never in the turn of whoever added it.
    await Promise.resolve();
    try {
      const worked = await this.#options.work(key);
      this.#failures.delete(key);
      if (worked.kind === "again") this.addAfter(key, worked.afterMs);
    } catch (error) {
      const failures = this.#failures.get(key) ?? 0;
      this.#failures.set(key, failures + 1);
      const delayMs = backoffMs(failures, this.#timing.random(), {
        baseMs: firstPauseMs,
        mostMs: this.#options.longestPauseMs ?? fiveMinutesMs,
      });
      this.#options.onFailure?.(key, error, delayMs);
      this.addAfter(key, delayMs);
    }
    this.#running.delete(key);
    if (this.#dirty.delete(key)) this.add(key);
    this.#next();
  }
}
