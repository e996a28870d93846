import { durationMs } from "../objects/index.ts";

/** Reads `90s`, `15m`, `1h30m`, or seconds without a unit, as milliseconds; throws what is wrong. */
export function parseDuration(text: string): number {
  const found = /^\d+$/.test(text) ? Number(text) * 1_000 : durationMs(text);
  if (found !== undefined) return found;
  throw new SyntaxError(`${JSON.stringify(text)} is no duration; write 90s, 15m or 1h30m`);
}

/** A duration as a person reads it: `0.4 s`, `12 s`, `3 m 20 s`. */
export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} m ${Math.round(seconds % 60)} s`;
}
