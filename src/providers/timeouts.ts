import { type Operation, changesTheWorld } from "./operations.ts";

/** In milliseconds; `load` is for starting a provider, `cancel` for obeying a cancellation. */
export type ProviderTimeouts = Readonly<Partial<Record<Operation | "load" | "cancel", number>>>;

const minuteMs = 60_000;
const changeMs = 10 * minuteMs;
const cancelMs = 5_000;
/** How long a call may take to obey when the whole command is to end, which must be over in 5 seconds. */
export const interruptMs = 2_000;

export function timeoutOf(timeouts: ProviderTimeouts, what: Operation | "load" | "cancel"): number {
  const given = timeouts[what];
  if (given !== undefined) return given;
  if (what === "cancel") return cancelMs;
  return what !== "load" && changesTheWorld(what) ? changeMs : minuteMs;
}

/** A duration as a person says it. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  const isWholeMinutes = ms % minuteMs === 0;
  const amount = isWholeMinutes ? ms / minuteMs : ms / 1_000;
  return `${amount} ${isWholeMinutes ? "minute" : "second"}${amount === 1 ? "" : "s"}`;
}
