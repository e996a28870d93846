/** A time that only events move: code under test waits for hours, and none of them is real. */
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";

/** More than any schedule takes: whatever is not over by then waits for something that never happens. */
const mostMs = 48 * 3_600_000;
const realTurn = globalThis.setImmediate;

interface Event {
  readonly at: number;
  readonly number: number;
  readonly happen: () => void;
}

/** Moves to the next event when nothing else can happen, one event at a time, in a fixed order. */
export class Timeline {
  nowMs = 0;
  #number = 0;
  readonly #events = new Set<Event>();
  readonly #outside = new Set<Promise<unknown>>();

  at(delayMs: number, happen: () => void): () => void {
    const at = this.nowMs + Math.max(0, Number.isNaN(delayMs) ? 0 : delayMs);
    const event = { at, number: this.#number++, happen };
    this.#events.add(event);
    return () => {
      this.#events.delete(event);
    };
  }

  wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.at(delayMs, resolve);
    });
  }

  /** Something that takes no time here, however long it takes: threads that are asked, files that are read. */
  async outside<Result>(work: Promise<Result>): Promise<Result> {
    this.#outside.add(work);
    try {
      return await work;
    } finally {
      this.#outside.delete(work);
    }
  }

  /** Does something for which timers, clocks and chance of this process are those of this time. */
  async run<Result>(random: () => number, work: () => Promise<Result>): Promise<Result> {
    const restore = this.#install(random);
    try {
      const ended = work();
      await this.#until(ended);
      return await ended;
    } finally {
      restore();
    }
  }

  async #until(ended: Promise<unknown>): Promise<void> {
    let isOver = false;
    const end = (): void => {
      isOver = true;
    };
    ended.then(end, end);
    for (;;) {
      // Everything that needs no time happens before the next turn of the process.
      await new Promise((resolve) => realTurn(resolve));
      while (this.#outside.size > 0) {
        await Promise.allSettled(this.#outside);
        await new Promise((resolve) => realTurn(resolve));
      }
      if (isOver) return;
      const first = this.#first();
      if (first === undefined) throw new Error("nothing can happen any more");
      if (first.at > mostMs) throw new Error("it does not end");
      this.#events.delete(first);
      this.nowMs = Math.max(this.nowMs, first.at);
      first.happen();
    }
  }

  #first(): Event | undefined {
    let first: Event | undefined;
    for (const event of this.#events)
      // Those of the same moment are here in their order.
      if (first === undefined || event.at < first.at) first = event;
    return first;
  }

  #install(random: () => number): () => void {
    const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate } =
      globalThis;
    const kept = { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate };
    const keptPromises = { setTimeout: timers.setTimeout, setImmediate: timers.setImmediate };
    const keptDate = globalThis.Date;
    const keptRandom = Math.random;
    const now = (): number => keptDate.UTC(2026, 0, 1) + Math.floor(this.nowMs);
    const begin = (delayMs: number, call: () => void, repeats: boolean): Timer => {
      const timer = new Timer();
      const next = (): void => {
        timer.cancel = this.at(repeats ? Math.max(1, delayMs) : delayMs, () => {
          if (repeats) next();
          call();
        });
      };
      next();
      return timer;
    };
    const end = (timer: unknown): void => {
      if (timer instanceof Timer) timer.cancel();
      else clearTimeout(timer as NodeJS.Timeout);
    };
    Object.assign(globalThis, {
      setTimeout: (call: (...all: unknown[]) => void, delayMs = 0, ...all: unknown[]) =>
        begin(delayMs, () => call(...all), false),
      setInterval: (call: (...all: unknown[]) => void, delayMs = 0, ...all: unknown[]) =>
        begin(delayMs, () => call(...all), true),
      setImmediate: (call: (...all: unknown[]) => void, ...all: unknown[]) =>
        begin(0, () => call(...all), false),
      clearTimeout: end,
      clearInterval: end,
      clearImmediate: end,
      Date: new Proxy(keptDate, {
        construct: (target, all: []) => (all.length === 0 ? new target(now()) : new target(...all)),
        get: (target, key) => (key === "now" ? now : (Reflect.get(target, key) as unknown)),
      }),
    });
    Object.assign(timers, {
      setTimeout: (delayMs?: number, value?: unknown, options?: { signal?: AbortSignal }) =>
        this.#sleep(delayMs ?? 0, value, options?.signal),
      setImmediate: (value?: unknown, options?: { signal?: AbortSignal }) =>
        this.#sleep(0, value, options?.signal),
    });
    syncBuiltinESMExports();
    performance.now = () => this.nowMs;
    Math.random = random;
    return () => {
      Object.assign(globalThis, { ...kept, clearImmediate, Date: keptDate });
      Object.assign(timers, keptPromises);
      syncBuiltinESMExports();
      // The method of its class is there again.
      Reflect.deleteProperty(performance, "now");
      Math.random = keptRandom;
    };
  }

  #sleep(delayMs: number, value: unknown, signal: AbortSignal | undefined): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        cancel();
        reject(new DOMException("The operation was aborted", "AbortError"));
      };
      const cancel = this.at(delayMs, () => {
        signal?.removeEventListener("abort", abort);
        resolve(value);
      });
      signal?.addEventListener("abort", abort, { once: true });
      if (signal?.aborted === true) abort();
    });
  }
}

/** What a timer function gives back. */
class Timer {
  cancel = (): void => undefined;

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  [Symbol.dispose](): void {
    this.cancel();
  }
}
