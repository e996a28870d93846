import { setTimeout as sleepFor } from "node:timers/promises";

/** Clock and randomness as the client sees them, so that tests can set both. */
export interface Timing {
  /** Milliseconds since the epoch. */
  now(): number;
  /** From 0 to below 1. */
  random(): number;
  /** Rejects with the reason of the signal when that is aborted. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

export const systemTiming: Timing = {
  now: () => Date.now(),
  random: () => Math.random(),
  async sleep(delayMs, signal) {
    signal?.throwIfAborted();
    try {
      await sleepFor(delayMs, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
};

/** Exponential back-off with full jitter above a half: never zero, never in step with others. */
export function backoffMs(
  attempt: number,
  random: number,
  { baseMs = 100, mostMs = 10_000 }: { readonly baseMs?: number; readonly mostMs?: number } = {},
): number {
  const ceiling = Math.min(mostMs, baseMs * 2 ** Math.min(attempt, 30));
  return Math.round(ceiling * (0.5 + random / 2));
}
