/** What a plain scalar can mean; infinite and not-a-number are still numbers here. */
export type ScalarValue = string | number | bigint | boolean | null;

/**
 * Reads a plain scalar exactly as kubectl does, which means YAML 1.1 as its Go library understands
 * it: `yes` is true and `0777` is 511, but dates and `1:30` stay text.
 */
export function resolveScalar(text: string): ScalarValue {
  if (text === "") return null;
  const first = text.charCodeAt(0);
  // Digits and signs.
  if ((first >= 48 && first <= 57) || first === 43 || first === 45) {
    return words.get(text) ?? resolveNumber(text) ?? text;
  }
  if (first === 46) return words.get(text) ?? resolveDotFloat(text) ?? text;
  if (text.length > longestWord) return text;
  const word = words.get(text);
  return word === undefined ? text : word;
}

/** An integer of up to 64 bits as kubectl reads it, or undefined. */
export function resolveInteger(text: string): number | bigint | undefined {
  const plain = text.includes("_") ? text.replaceAll("_", "") : text;
  if (integerPattern.test(plain)) return inSixtyFourBits(plain);
  // The Go library tries once more after a leading 0b, and there accepts a second sign.
  const odd = oddBinaryPattern.exec(plain);
  return odd === null
    ? undefined
    : inSixtyFourBits(`${odd[1] === "-" ? "-" : ""}0b${odd[2] ?? ""}`);
}

const words: ReadonlyMap<string, boolean | number | null> = new Map<
  string,
  boolean | number | null
>([
  ...["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"].map(
    (word) => [word, true] as const,
  ),
  ...["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"].map(
    (word) => [word, false] as const,
  ),
  ...["~", "null", "Null", "NULL"].map((word) => [word, null] as const),
  ...[".nan", ".NaN", ".NAN"].map((word) => [word, Number.NaN] as const),
  ...[".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"].map((word) => [word, Infinity] as const),
  ...["-.inf", "-.Inf", "-.INF"].map((word) => [word, -Infinity] as const),
]);
const longestWord = 5;

const integerPattern = /^[-+]?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$/;
const oddBinaryPattern = /^0b([-+])([01]+)$/;
const floatPattern = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
// Only here the Go library keeps to Go's own rule for underscores: single, and between digits.
const dotFloatPattern = /^\.[0-9](?:_?[0-9])*(?:[eE][-+]?[0-9](?:_?[0-9])*)?$/;

const longestSafeDecimal = 15;
const leastSigned = -(2n ** 63n);
const mostSigned = 2n ** 63n - 1n;
const mostUnsigned = 2n ** 64n - 1n;

function resolveNumber(text: string): number | bigint | undefined {
  const integer = resolveInteger(text);
  if (integer !== undefined) return integer;
  const plain = text.includes("_") ? text.replaceAll("_", "") : text;
  return floatPattern.test(plain) ? finite(Number(plain)) : undefined;
}

function resolveDotFloat(text: string): number | undefined {
  return dotFloatPattern.test(text) ? finite(Number(text.replaceAll("_", ""))) : undefined;
}

// Beyond the range of a double the text stays text; minus zero means nothing in JSON.
function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value + 0 : undefined;
}

function inSixtyFourBits(text: string): number | bigint | undefined {
  const signed = text.startsWith("-") || text.startsWith("+");
  const digits = signed ? text.slice(1) : text;
  if (digits.length <= longestSafeDecimal && (digits === "0" || !digits.startsWith("0"))) {
    return text.startsWith("-") ? 0 - Number(digits) : Number(digits);
  }
  const magnitude = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits}` : digits.toLowerCase());
  const value = text.startsWith("-") ? -magnitude : magnitude;
  if (value < leastSigned || value > (signed ? mostSigned : mostUnsigned)) return undefined;
  const asNumber = Number(value);
  return Number.isSafeInteger(asNumber) ? asNumber : value;
}
