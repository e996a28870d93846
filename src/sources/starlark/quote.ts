import { encodeRune, replacementRune, runeAt } from "./byte-text.ts";
import { isPrintable } from "./unicode.ts";

const namedEscapes: Readonly<Record<number, string>> = {
  7: "\\a",
  8: "\\b",
  9: "\\t",
  10: "\\n",
  11: "\\v",
  12: "\\f",
  13: "\\r",
  34: '\\"',
  92: "\\\\",
};

/** The literal that denotes a string, in bytes; broken bytes are shown as `\xXX`. */
export function quote(bytes: string): string {
  if (/^[ !#-[\]-~]*$/.test(bytes)) return `"${bytes}"`;
  let literal = '"';
  for (let index = 0; index < bytes.length;) {
    const { rune, size } = runeAt(bytes, index);
    const isBroken = size === 1 && rune === replacementRune;
    literal += isBroken ? `\\x${hex(bytes.charCodeAt(index), 2)}` : quoteRune(rune);
    index += size;
  }
  return `${literal}"`;
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
