import { characterWidth } from "./text-width.ts";

/** A line that fits the terminal; colours do not count, and are ended. */
export function cutLine(line: string, width: number): string {
  let visible = 0;
  let index = 0;
  while (index < line.length) {
    // oxlint-disable-next-line no-control-regex -- the escape character begins a colour
    const escape = /^\u001B\[[\d;]*m/.exec(line.slice(index, index + 12));
    const character = escape?.[0] ?? String.fromCodePoint(line.codePointAt(index) ?? 0);
    if (escape === null) visible += characterWidth(character);
    if (visible >= width) return `${line.slice(0, index)}…\u001B[0m`;
    index += character.length;
  }
  return line;
}
