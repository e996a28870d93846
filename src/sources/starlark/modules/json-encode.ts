import { asByteText, replacementRune, runeAt, type ByteText } from "../byte-text.ts";
import { named, raise } from "../evaluation-error.ts";
import { attributeNames, findAttribute } from "../operations/attribute.ts";
import { iterate } from "../operations/iterate.ts";
import { show } from "../operations/show.ts";
import { typeName } from "../operations/type-name.ts";
import { StarlarkDict } from "../values/dict.ts";
import { StarlarkFloat } from "../values/float.ts";
import type { StarlarkObject, Value } from "../values/value.ts";

/** A value as JSON, without spaces and with keys in order. */
export function encodeJson(value: Value): ByteText {
  return asByteText(encode(value, []));
}

function encode(value: Value, path: readonly StarlarkObject[]): string {
  if (value === null) return "null";
  if (typeof value === "string") return quoteJson(value);
  if (typeof value !== "object") return String(value);
  if (value instanceof StarlarkFloat) {
    if (Number.isFinite(value.number)) return value.show();
    raise(`cannot encode non-finite float ${value.show()}`);
  }
  if (path.includes(value)) raise("cycle in JSON structure");
  const inner = [...path, value];
  if (value instanceof StarlarkDict) return encodeDict(value, inner);
  return encodeIterable(value, inner) ?? encodeAttributes(value, inner);
}

function encodeDict(dict: StarlarkDict, path: readonly StarlarkObject[]): string {
  const entries = dict.entries().map(([key, value]): readonly [ByteText, Value] => {
    if (typeof key === "string") return [key, value];
    raise(`dict has ${typeName(key)} key, want string`);
  });
  entries.sort(([left], [right]) => (left < right ? -1 : 1));
  const parts = entries.map(
    ([key, value]) =>
      `${quoteJson(key)}:${named(`in dict key ${show(key)}`, () => encode(value, path))}`,
  );
  return `{${parts.join(",")}}`;
}

function encodeIterable(
  value: StarlarkObject,
  path: readonly StarlarkObject[],
): string | undefined {
  const iterator = iterate(value);
  if (iterator === undefined) return undefined;
  const parts: string[] = [];
  try {
    for (let item = iterator.next(); item !== undefined; item = iterator.next()) {
      const element = item;
      const place = `at ${value.typeName} index ${parts.length}`;
      parts.push(named(place, () => encode(element, path)));
    }
  } finally {
    iterator.done();
  }
  return `[${parts.join(",")}]`;
}

function encodeAttributes(value: StarlarkObject, path: readonly StarlarkObject[]): string {
  const names = attributeNames(value);
  if (names === undefined) raise(`cannot encode ${value.typeName} as JSON`);
  const parts = [...names].sort().map((name) => {
    const field = findAttribute(value, name) ?? null;
    return `${quoteJson(name)}:${named(`in field .${name}`, () => encode(field, path))}`;
  });
  return `{${parts.join(",")}}`;
}

const shortEscapes: Readonly<Record<number, string>> = {
  8: "\\b",
  9: "\\t",
  10: "\\n",
  12: "\\f",
  13: "\\r",
  34: '\\"',
  92: "\\\\",
};

/** Plain ASCII is only quoted; other text is escaped so that it can stand inside HTML too. */
function quoteJson(bytes: string): string {
  if (/^[ -~\u007f]*$/.test(bytes)) {
    return `"${bytes.replaceAll(/["\\]/g, "\\$&").replaceAll("\u007f", "\\x7f")}"`;
  }
  let quoted = '"';
  for (let index = 0; index < bytes.length;) {
    const { rune, size } = runeAt(bytes, index);
    const isUnsafe = rune < 32 || [0x26, 0x3c, 0x3e, 0x2028, 0x2029].includes(rune);
    const isBroken = rune === replacementRune && size === 1;
    const short = shortEscapes[rune];
    if (short !== undefined) quoted += short;
    else if (isUnsafe || isBroken) quoted += `\\u${rune.toString(16).padStart(4, "0")}`;
    else quoted += bytes.slice(index, index + size);
    index += size;
  }
  return `${quoted}"`;
}
