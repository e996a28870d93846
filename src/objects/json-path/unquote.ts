import { JsonPathSyntaxError } from "./json-path-syntax-error.ts";

const simpleEscapes: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
};

const escape = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|([\s\S]?))/g;

/** The text inside of quotes, with the escapes of Go strings. */
export function unquoteStep(quoted: string, offset: number): string {
  const quote = quoted.charAt(0);
  return quoted
    .slice(1, -1)
    .replaceAll(escape, (_whole, ...groups: readonly (string | undefined)[]) => {
      const [byte, short, long, octal, char] = groups;
      const hex = byte ?? short ?? long;
      const code = hex === undefined ? Number.parseInt(octal ?? "", 8) : Number.parseInt(hex, 16);
      if (!Number.isNaN(code) && code <= 0x10_ff_ff) return String.fromCodePoint(code);
      const simple = char === quote ? quote : simpleEscapes[char ?? ""];
      if (simple !== undefined) return simple;
      throw new JsonPathSyntaxError(`\\${char ?? ""} is no escape`, offset);
    });
}
