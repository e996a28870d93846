import { encodeRune, replacementRune, runeAt } from "./byte-text.ts";
import { LimitError } from "./evaluation-error.ts";
import { isPrintable } from "./unicode.ts";

const namedEscapes: Readonly<Record<number, string>> = {
  7: "\\a",
  8: "\\b",
  9: "\\t",
  10: "\\n",
  11: "\\v",
  12: "\\f",
  13: "\\r",
};

/** A program that shows larger texts shows texts of texts of texts. */
const longestBytes = 32 * 1024 * 1024;
const pieceBytes = 256 * 1024;

/**
 * The literal that denotes a string, in bytes; broken bytes are shown as `\xXX`. It is made in large
 * pieces: a sum of single characters takes thirty times the memory of the text.
 */
export function quote(bytes: string): string {
  if (bytes.length > longestBytes) {
    const mebibytes = Math.round(bytes.length / (1024 * 1024));
    throw new LimitError(
      `Starlark computation cancelled: too much memory (a literal of ${mebibytes} MiB)`,
    );
  }
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length;) {
    let end = start + pieceBytes;
    // Not within the bytes of a character.
    while (end < bytes.length && bytes.charCodeAt(end) >= 0x80) end++;
    pieces.push(bytes.slice(start, end).replaceAll(/["\\]|[^ -~]+/g, quoteRun));
    start = end;
  }
  return `"${pieces.join("")}"`;
}

function quoteRun(run: string): string {
  if (run === '"' || run === "\\") return `\\${run}`;
  let literal = "";
  for (let index = 0; index < run.length;) {
    const { rune, size } = runeAt(run, index);
    const isBroken = size === 1 && rune === replacementRune;
    literal += isBroken ? `\\x${hex(run.charCodeAt(index), 2)}` : quoteRune(rune);
    index += size;
  }
  return literal;
}

function quoteRune(rune: number): string {
  const named = namedEscapes[rune];
  if (named !== undefined) return named;
  if (isPrintable(rune)) return encodeRune(rune);
  if (rune < 0x80) return `\\x${hex(rune, 2)}`;
  return rune < 0x10000 ? `\\u${hex(rune, 4)}` : `\\U${hex(rune, 8)}`;
}

function hex(code: number, width: number): string {
  return code.toString(16).padStart(width, "0");
}
