import { excerptOf, type SourceRange } from "../../diagnostics/index.ts";
import type { CallFrame } from "./evaluate/thread.ts";
import { formatPlace, type Position } from "./syntax/position.ts";

/** The calls that led to a failure and its message, as Starlark prints them. */
export function formatTraceback(stack: readonly CallFrame[], message: string): string {
  const last = stack.at(-1);
  const isInBuiltin = last !== undefined && last.position === undefined;
  const shown = isInBuiltin ? stack.slice(0, -1) : stack;
  const lines = shown.map(
    ({ name, position }) =>
      `  ${position === undefined ? "<builtin>" : formatPlace(position)}: in ${name}`,
  );
  const heading = lines.length > 0 ? ["Traceback (most recent call last):"] : [];
  const place = isInBuiltin ? ` in ${last.name}` : "";
  return [...heading, ...withoutRepeats(lines), `Error${place}: ${message}`].join("\n");
}

/** How often the same line is shown in a row; a call that calls itself would fill the screen. */
const shownRepeats = 3;

/** How many lines are shown from each end of what is longer than both. */
const shownOfEachEnd = 50;

function withoutRepeats(lines: readonly string[]): readonly string[] {
  const shown: string[] = [];
  for (let start = 0; start < lines.length;) {
    let end = start + 1;
    while (end < lines.length && lines[end] === lines[start]) end++;
    const hidden = end - start - shownRepeats;
    shown.push(...lines.slice(start, Math.min(end, start + shownRepeats)));
    if (hidden > 0)
      shown.push(`  [the last line ${hidden} more ${hidden === 1 ? "time" : "times"}]`);
    start = end;
  }
  const hidden = shown.length - 2 * shownOfEachEnd;
  return hidden <= 1 ? shown : shown.toSpliced(shownOfEachEnd, hidden, `  [${hidden} more lines]`);
}

/** A place as diagnostics give it, with the lines around it; their columns count UTF-16 units. */
export function sourceRangeOf(position: Position, text: string | undefined): SourceRange {
  const { file, line, column } = position;
  if (text === undefined) return { file, start: { line, column } };
  const excerpt = excerptOf(text, line);
  const marked = excerpt.lines[line - excerpt.firstLine] ?? "";
  const before = Array.from(marked)
    .slice(0, column - 1)
    .join("");
  return { file, start: { line, column: before.length + 1 }, excerpt };
}
