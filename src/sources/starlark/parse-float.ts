import { raise } from "./evaluation-error.ts";

/** Reads a float as Go does: decimal or hexadecimal, `inf` and `nan` in any case. */
export function parseFloat(text: string): number {
  if (text === "") raise("float: empty string");
  const word = text.toLowerCase();
  if (/^[+-]?nan$/.test(word)) return Number.NaN;
  const infinity = /^([+-]?)inf(?:inity)?$/.exec(word);
  if (infinity !== null) return infinity[1] === "-" ? -Infinity : Infinity;
  const number = parseDecimal(text) ?? parseHexadecimal(word);
  if (number === undefined) raise(`invalid float literal: ${text}`);
  if (!Number.isFinite(number)) raise("floating-point number too large");
  return number;
}

function parseDecimal(text: string): number | undefined {
  const isDecimal =
    /^[+-]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?$/.test(
      text,
    );
  return isDecimal ? Number(text.replaceAll("_", "")) : undefined;
}

/** `0x1.8p3`; the exponent counts powers of two and must be there. */
function parseHexadecimal(word: string): number | undefined {
  const parts = /^([+-]?)0x_?([\da-f_]*)\.?([\da-f_]*)p([+-]?\d+)$/.exec(word);
  const [, sign = "", whole = "", fraction = "", power = ""] = parts ?? [];
  const digits = whole + fraction;
  if (digits === "" || digits.includes("_")) return undefined;
  const magnitude = Number(BigInt(`0x${digits}`)) * 2 ** (Number(power) - 4 * fraction.length);
  return sign === "-" ? -magnitude : magnitude;
}
