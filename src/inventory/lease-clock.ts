import { setTimeout as sleepFor } from "node:timers/promises";

/** A moment as two clocks know it. */
export interface Moment {
  /** Never set by anybody; may stand still while a machine sleeps. */
  readonly steadyMs: number;
  /** Goes on while a machine sleeps; may be set. */
  readonly wallMs: number;
}

/** Time as the holders of Leases see it, so that tests can set it. */
export interface LeaseClock {
  readonly now: () => Moment;
  /** Ends early when the signal is aborted. */
  readonly sleep: (delayMs: number, signal?: AbortSignal) => Promise<void>;
  /** Calls again and again, without keeping the process alive; returns what ends that. */
  readonly every: (intervalMs: number, call: () => void) => () => void;
}

export const systemLeaseClock: LeaseClock = {
  now: () => ({ steadyMs: performance.now(), wallMs: Date.now() }),
  sleep: async (delayMs, signal) => {
    await sleepFor(delayMs, undefined, signal === undefined ? {} : { signal }).catch(() => {});
  },
  every: (intervalMs, call) => {
    const timer = setInterval(call, intervalMs);
    timer.unref();
    return () => {
      clearInterval(timer);
    };
  },
};

/** How long ago a moment was at most: the larger of what the two clocks say. */
export function mostSince(clock: LeaseClock, moment: Moment): number {
  const now = clock.now();
  return Math.max(now.steadyMs - moment.steadyMs, now.wallMs - moment.wallMs);
}

/** How long ago a moment was at least: a clock that was set does not count. */
export function leastSince(clock: LeaseClock, moment: Moment): number {
  return clock.now().steadyMs - moment.steadyMs;
}
