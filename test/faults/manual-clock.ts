import type { LeaseClock, Moment } from "../../src/inventory/index.ts";

interface Timer {
  at: number;
  readonly everyMs: number | undefined;
  readonly call: () => void;
}

/**
 * A clock that goes on only when it is told to. Sleepers and timers run when their time has come, in order;
 * the wall clock of a machine can be wrong, and stop a machine's own clock while it sleeps.
 */
export class ManualClock implements LeaseClock {
  /** What the wall clock is ahead of the true time. */
  skewMs = 0;
  #steadyMs = 0;
  #wallMs = Date.UTC(2026, 0, 1);
  readonly #timers = new Set<Timer>();

  readonly now = (): Moment => ({
    steadyMs: this.#steadyMs,
    wallMs: this.#wallMs + this.skewMs,
  });

  readonly sleep = (delayMs: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      const timer = { at: this.#steadyMs + delayMs, everyMs: undefined, call: resolve };
      this.#timers.add(timer);
      signal?.addEventListener("abort", () => {
        this.#timers.delete(timer);
        resolve();
      });
    });

  readonly every = (everyMs: number, call: () => void): (() => void) => {
    const timer = { at: this.#steadyMs + everyMs, everyMs, call };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  };

  /** When the next sleeper or timer is due, in steady time. */
  get next(): number | undefined {
    const times = [...this.#timers].map(({ at }) => at);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** Lets time go by as a stopped process sees it: all of it, at once, afterwards. */
  jump(ms: number): void {
    this.#steadyMs += ms;
    this.#wallMs += ms;
    for (const timer of [...this.#timers].sort((left, right) => left.at - right.at)) {
      if (timer.at > this.#steadyMs) continue;
      if (timer.everyMs === undefined) this.#timers.delete(timer);
      else timer.at = this.#steadyMs + timer.everyMs;
      timer.call();
    }
  }

  /** Lets a machine sleep: its steady clock stands still. */
  suspend(ms: number): void {
    this.#wallMs += ms;
  }

  /** Lets time go by step by step, and everything happen meanwhile. */
  async pass(ms: number): Promise<void> {
    const end = this.#steadyMs + ms;
    for (;;) {
      await settled();
      const next = this.next;
      if (next === undefined || next > end) break;
      this.jump(Math.max(0, next - this.#steadyMs));
    }
    this.jump(end - this.#steadyMs);
    await settled();
  }
}

/** Resolves when everything that can happen without time going by has happened. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 40; turn++) await new Promise((resolve) => setImmediate(resolve));
}
