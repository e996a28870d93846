import { logPieces } from "../../src/diagnostics/log-text.ts";

/** A piece of a line with the names of how it looks: the page has a class for each. */
export interface AnsiSpan {
  readonly text: string;
  readonly classes: string;
}

/** A line as pieces of one look each; what only moves a cursor is left out. */
export function ansiSpans(line: string): readonly AnsiSpan[] {
  const spans: AnsiSpan[] = [];
  let current: Look = plain;
  for (const { text, look } of logPieces(line)) {
    if (text !== "") spans.push({ text, classes: classesOf(current) });
    if (look !== undefined) current = lookAfter(current, look);
  }
  return spans.length === 0 ? [{ text: "", classes: "" }] : spans;
}

interface Look {
  readonly styles: ReadonlySet<string>;
  readonly front: string;
  readonly back: string;
}

const plain: Look = { styles: new Set(), front: "", back: "" };
const colors = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
const styles: Readonly<Record<number, string>> = {
  1: "bold",
  2: "dim",
  3: "italic",
  4: "underline",
  7: "inverse",
  9: "struck",
};
/** Which styles a code ends. */
const ends: Readonly<Record<number, readonly string[]>> = {
  22: ["bold", "dim"],
  23: ["italic"],
  24: ["underline"],
  27: ["inverse"],
  29: ["struck"],
};

function classesOf({ styles: own, front, back }: Look): string {
  return [
    ...own,
    ...(front === "" ? [] : [`front-${front}`]),
    ...(back === "" ? [] : [`back-${back}`]),
  ].join(" ");
}

function lookAfter(before: Look, codes: string): Look {
  const numbers = codes.split(/[;:]/).map(Number);
  let look = before;
  for (let index = 0; index < numbers.length; index++) {
    const code = numbers[index] ?? 0;
    if (code === 38 || code === 48) {
      const { color, taken } = extendedColor(numbers.slice(index + 1));
      look = code === 38 ? { ...look, front: color } : { ...look, back: color };
      index += taken;
    } else look = withCode(look, code);
  }
  return look;
}

function withCode(look: Look, code: number): Look {
  if (code === 0) return plain;
  const style = styles[code];
  if (style !== undefined) return { ...look, styles: new Set([...look.styles, style]) };
  const ended = ends[code];
  if (ended !== undefined)
    return { ...look, styles: new Set([...look.styles].filter((each) => !ended.includes(each))) };
  if (code === 39) return { ...look, front: "" };
  if (code === 49) return { ...look, back: "" };
  // Bright colours are shown as their plain ones: both must be readable on light and on dark.
  const tens = Math.floor(code / 10);
  const color = colors[code % 10] ?? "";
  if (tens === 3 || tens === 9) return { ...look, front: color };
  if (tens === 4 || tens === 10) return { ...look, back: color };
  return look;
}

/** `5;n` of 256 colours or `2;r;g;b`, as the nearest of the eight that the page has. */
function extendedColor(rest: readonly number[]): {
  readonly color: string;
  readonly taken: number;
} {
  const [kind = 0, first = 0, second = 0, third = 0] = rest;
  if (kind === 2) return { color: nearest(first, second, third), taken: 4 };
  if (kind !== 5) return { color: "", taken: 0 };
  if (first < 16) return { color: colors[first % 8] ?? "", taken: 2 };
  if (first >= 232) return { color: first < 244 ? "black" : "white", taken: 2 };
  const cube = first - 16;
  const part = (divisor: number): number => (Math.floor(cube / divisor) % 6) * 51;
  return { color: nearest(part(36), part(6), part(1)), taken: 2 };
}

function nearest(red: number, green: number, blue: number): string {
  const most = Math.max(red, green, blue);
  if (most < 48) return "black";
  const bit = (value: number): number => (value > most * 0.6 ? 1 : 0);
  return colors[bit(red) + 2 * bit(green) + 4 * bit(blue)] ?? "";
}
