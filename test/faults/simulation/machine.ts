import type { Timing } from "../../../src/cluster/index.ts";
import type { LeaseClock, Moment } from "../../../src/inventory/index.ts";
import type { Timeline } from "./timeline.ts";

/** A machine that writes: its clock may be wrong, its process may be stopped, or all of it may sleep. */
export class Machine {
  readonly #time: Timeline;
  readonly #skewMs: number;
  #slept = 0;
  #resumed: Promise<void> | undefined;

  constructor(time: Timeline, skewMs: number) {
    this.#time = time;
    this.#skewMs = skewMs;
  }

  get isStopped(): boolean {
    return this.#resumed !== undefined;
  }

  /** Resolves when the process runs. */
  async awake(): Promise<void> {
    while (this.#resumed !== undefined) await this.#resumed;
  }

  /** Stops the process for a time; a machine that sleeps stops its steady clock as well. */
  stop(forMs: number, sleeps: boolean): void {
    if (this.#resumed !== undefined) return;
    const stopped = this.#time.wait(forMs).then(() => {
      // Whoever was killed meanwhile stays so.
      if (this.#resumed !== stopped) return;
      this.#resumed = undefined;
      if (sleeps) this.#slept += forMs;
    });
    this.#resumed = stopped;
  }

  /** Ends the process for good: nothing of it happens any more. */
  kill(): void {
    this.#resumed = new Promise(() => undefined);
  }

  /** Retries and watches take the time of the machine. */
  readonly timing: Timing = {
    now: () => this.clock.now().wallMs,
    random: () => 0.5,
    sleep: async (delayMs, signal) => {
      await this.clock.sleep(delayMs, signal);
      signal?.throwIfAborted();
    },
  };

  readonly clock: LeaseClock = {
    now: (): Moment => ({
      steadyMs: this.#time.nowMs - this.#slept,
      wallMs: Date.UTC(2026, 0, 1) + this.#time.nowMs + this.#skewMs,
    }),
    sleep: async (delayMs, signal) => {
      const ended = Promise.withResolvers<void>();
      const cancel = this.#time.at(delayMs, ended.resolve);
      const stop = (): void => {
        cancel();
        ended.resolve();
      };
      signal?.addEventListener("abort", stop, { once: true });
      if (signal?.aborted === true) stop();
      await ended.promise;
      await this.awake();
    },
    every: (everyMs, call) => {
      const stop = new AbortController();
      const next = async (): Promise<void> => {
        while (!stop.signal.aborted) {
          await this.#time.wait(everyMs);
          await this.awake();
          if (!stop.signal.aborted) call();
        }
      };
      void next();
      return () => {
        stop.abort();
      };
    },
  };
}
