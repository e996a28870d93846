import { controlSequence, controlAt, screenLine } from "../terminal.ts";
import { characterWidth } from "./text-width.ts";

/** A line that fits the terminal, whatever is in it; colours do not count, and are ended. */
export function cutLine(text: string, width: number): string {
  const line = screenLine(text);
  let visible = 0;
  let index = 0;
  while (index < line.length) {
    const own = controlAt(line, index);
    const character = own ?? String.fromCodePoint(line.codePointAt(index) ?? 0);
    if (own === undefined) visible += characterWidth(character);
    if (visible >= width) return `${line.slice(0, index)}…${controlSequence("\u001B[0m")}`;
    index += character.length;
  }
  return line;
}
