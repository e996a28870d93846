import type { TimedLog } from "../../devloop/index.ts";

/** The part of the log that a screen shows. */
export interface LogWindow {
  /** All lines that could be shown. */
  readonly lines: readonly TimedLog[];
  /** How many lines there is room for. */
  readonly space: number;
  /** Where the shown part ends: behind its last line. */
  readonly end: number;
}

/**
 * The window that ends with a line, or with the newest one if none is given. That line may be gone or
 * filtered out: then it ends with what was logged last before it.
 */
export function logWindow(
  lines: readonly TimedLog[],
  space: number,
  lastShown: TimedLog | undefined,
): LogWindow {
  if (lastShown === undefined) return { lines, space, end: lines.length };
  const found = lines.lastIndexOf(lastShown);
  const end =
    found === -1
      ? lines.findLastIndex(({ timestamp }) => timestamp <= lastShown.timestamp) + 1
      : found + 1;
  return { lines, space, end: clamp(end, { lines, space }) };
}

export function shownLines({ lines, space, end }: LogWindow): readonly TimedLog[] {
  return lines.slice(Math.max(0, end - space), end);
}

/** The last line to show after scrolling down by so many lines; undefined follows what is new. */
export function scrolledBy(window: LogWindow, count: number): TimedLog | undefined {
  const end = clamp(window.end + count, window);
  return end === window.lines.length ? undefined : window.lines[end - 1];
}

/** A window is full as long as there are lines enough. */
function clamp(end: number, { lines, space }: Pick<LogWindow, "lines" | "space">): number {
  return Math.min(lines.length, Math.max(end, Math.min(space, lines.length)));
}
