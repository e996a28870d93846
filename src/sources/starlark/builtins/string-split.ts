import { anyValue, byteString, int, unpackPositional } from "../arguments.ts";
import { asByteText, runeAt, runeBefore, runesOf, type ByteText } from "../byte-text.ts";
import { raise } from "../evaluation-error.ts";
import { objectBytes, wordBytes } from "../operations/size.ts";
import { typeName } from "../operations/type-name.ts";
import { isSpace } from "../unicode.ts";
import type { BuiltinCode } from "../values/callable.ts";
import { StarlarkList } from "../values/list.ts";

/** Methods that split strings and strip them. */
export const stringSplitMethods: Readonly<Record<string, BuiltinCode>> = {
  split: split((bytes, separator, most) => {
    const parts = bytes.split(separator);
    if (most < 0 || parts.length <= most + 1) return parts;
    return [...parts.slice(0, most), parts.slice(most).join(separator)];
  }, splitSpace),

  rsplit: split((bytes, separator, most) => {
    const parts = bytes.split(separator);
    if (most < 0 || parts.length <= most + 1) return parts;
    const joined = parts.length - most;
    return [parts.slice(0, joined).join(separator), ...parts.slice(joined)];
  }, splitSpaceFromEnd),

  strip: strip((bytes, isStripped) => stripStart(stripEnd(bytes, isStripped), isStripped)),
  lstrip: strip(stripStart),
  rstrip: strip(stripEnd),
};

type Split = (bytes: string, separator: string, most: number) => readonly string[];
type SplitSpace = (bytes: string, most: number) => readonly string[];

function split(bySeparator: Split, bySpace: SplitSpace): BuiltinCode {
  return ({ meter }, args, keywords, name, receiver) => {
    const bytes = receiver as ByteText;
    const [separator = null, most = -1] = unpackPositional(
      name,
      args,
      keywords,
      [],
      [anyValue, int],
    );
    if (separator === "") raise("split: empty separator");
    if (separator !== null && typeof separator !== "string") {
      raise(`split: got ${typeName(separator)} for separator, want string`);
    }
    const parts = separator === null ? bySpace(bytes, most) : bySeparator(bytes, separator, most);
    meter.step(parts.length);
    meter.allocate(objectBytes + parts.length * wordBytes + bytes.length);
    return new StarlarkList(parts.map(asByteText));
  };
}

/** At most so many splits at runs of white space; the last part runs to the end. */
function splitSpace(bytes: string, most: number): readonly string[] {
  const parts: string[] = [];
  let start = -1;
  for (let index = 0; index < bytes.length;) {
    const { rune, size } = runeAt(bytes, index);
    if (!isSpace(rune)) start = start < 0 ? index : start;
    else if (start >= 0) {
      if (parts.length === most) break;
      parts.push(bytes.slice(start, index));
      start = -1;
    }
    index += size;
  }
  if (start >= 0) parts.push(bytes.slice(start));
  return parts;
}

function splitSpaceFromEnd(bytes: string, most: number): readonly string[] {
  const parts: string[] = [];
  let end = -1;
  for (let index = bytes.length; index > 0;) {
    const { rune, size } = runeBefore(bytes, index);
    if (!isSpace(rune)) end = end < 0 ? index : end;
    else if (end >= 0) {
      if (parts.length === most) break;
      parts.push(bytes.slice(index, end));
      end = -1;
    }
    index -= size;
  }
  if (end >= 0) parts.push(bytes.slice(0, end));
  return parts.toReversed();
}

type IsStripped = (rune: number) => boolean;

function strip(apply: (bytes: string, isStripped: IsStripped) => string): BuiltinCode {
  return (_thread, args, keywords, name, receiver) => {
    const [characters = ""] = unpackPositional(name, args, keywords, [], [byteString]);
    const stripped: IsStripped =
      characters === ""
        ? isSpace
        : (
            (runes) => (rune) =>
              runes.has(rune)
          )(new Set(runesOf(characters)));
    return asByteText(apply(receiver as ByteText, stripped));
  };
}

function stripStart(bytes: string, isStripped: IsStripped): string {
  let start = 0;
  while (start < bytes.length) {
    const { rune, size } = runeAt(bytes, start);
    if (!isStripped(rune)) break;
    start += size;
  }
  return bytes.slice(start);
}

function stripEnd(bytes: string, isStripped: IsStripped): string {
  let end = bytes.length;
  while (end > 0) {
    const { rune, size } = runeBefore(bytes, end);
    if (!isStripped(rune)) break;
    end -= size;
  }
  return bytes.slice(0, end);
}
