/** The methods of strings. Those that search and split are in files of their own. */
import { bool, byteString, iterable, unpackPositional } from "../arguments.ts";
import { asByteText, mapRunes, runesOf, type ByteText } from "../byte-text.ts";
import { raise } from "../evaluation-error.ts";
import { formatBraces } from "../format-braces.ts";
import { collect } from "../operations/iterate.ts";
import { typeName } from "../operations/type-name.ts";
import {
  isCased,
  isDecimalDigit,
  isLetter,
  isLower,
  isSpace,
  isTitle,
  isUpper,
  toLower,
  toTitle,
  toUpper,
} from "../unicode.ts";
import type { BuiltinCode } from "../values/callable.ts";
import { StarlarkList } from "../values/list.ts";
import { StringCodepoints, StringElements } from "../values/string-elements.ts";
import { builtinTable } from "./method-table.ts";
import { stringSearchMethods } from "./string-search.ts";
import { stringSplitMethods } from "./string-split.ts";

export const stringMethods = builtinTable({
  ...stringSearchMethods,
  ...stringSplitMethods,

  capitalize: plain((bytes) =>
    mapRunes(bytes, (rune, index) => (index === 0 ? toTitle(rune) : toLower(rune))),
  ),
  lower: plain((bytes) => mapRunes(bytes, toLower)),
  upper: plain((bytes) => mapRunes(bytes, toUpper)),
  title: plain(titleCase),

  codepoint_ords: plain((bytes) => new StringCodepoints(bytes, true)),
  codepoints: plain((bytes) => new StringCodepoints(bytes, false)),
  elem_ords: plain((bytes) => new StringElements(bytes, true)),
  elems: plain((bytes) => new StringElements(bytes, false)),

  isalnum: everyRune((rune) => isLetter(rune) || isDecimalDigit(rune)),
  isalpha: everyRune(isLetter),
  isdigit: everyRune(isDecimalDigit),
  isspace: everyRune(isSpace),
  islower: plain((bytes) => runesOf(bytes).some(isCased) && bytes === mapRunes(bytes, toLower)),
  isupper: plain((bytes) => runesOf(bytes).some(isCased) && bytes === mapRunes(bytes, toUpper)),
  istitle: plain(isTitleCase),

  format({ meter }, args, keywords, _name, receiver) {
    const result = formatBraces(receiver as ByteText, args, keywords);
    meter.allocate(result.length);
    return result;
  },

  join({ meter }, args, keywords, name, receiver) {
    const [elements] = unpackPositional(name, args, keywords, [iterable]);
    const parts = collect(meter, elements) ?? [];
    const strings = parts.map((part): string =>
      typeof part === "string" ? part : raise(`join: in list, want string, got ${typeName(part)}`),
    );
    const result = strings.join(receiver as ByteText);
    meter.allocate(result.length);
    return asByteText(result);
  },

  removeprefix(_thread, args, keywords, name, receiver) {
    const bytes = receiver as ByteText;
    const [prefix] = unpackPositional(name, args, keywords, [byteString]);
    return bytes.startsWith(prefix) ? asByteText(bytes.slice(prefix.length)) : bytes;
  },

  removesuffix(_thread, args, keywords, name, receiver) {
    const bytes = receiver as ByteText;
    const [suffix] = unpackPositional(name, args, keywords, [byteString]);
    if (!bytes.endsWith(suffix)) return bytes;
    return asByteText(bytes.slice(0, bytes.length - suffix.length));
  },

  splitlines(_thread, args, keywords, name, receiver) {
    const [keepsEnds = false] = unpackPositional(name, args, keywords, [], [bool]);
    const bytes = receiver as ByteText;
    const lines = bytes.split("\n");
    const last = lines.pop() ?? "";
    const whole = lines.map((line) => asByteText(keepsEnds ? `${line}\n` : line));
    return new StarlarkList(last === "" ? whole : [...whole, asByteText(last)]);
  },
});

/** A method without arguments. */
function plain(compute: (bytes: ByteText) => ReturnType<BuiltinCode>): BuiltinCode {
  return ({ meter }, args, keywords, name, receiver) => {
    unpackPositional(name, args, keywords, []);
    const result = compute(receiver as ByteText);
    meter.allocate(typeof result === "string" ? result.length : 0);
    return result;
  };
}

function everyRune(test: (rune: number) => boolean): BuiltinCode {
  return plain((bytes) => bytes !== "" && runesOf(bytes).every(test));
}

function titleCase(bytes: ByteText): ByteText {
  let isInWord = false;
  return mapRunes(bytes, (rune) => {
    const mapped = isInWord ? toLower(rune) : toTitle(rune);
    isInWord = isCased(mapped);
    return mapped;
  });
}

/** Capitals start words and only lower-case letters go on with them. */
function isTitleCase(bytes: ByteText): boolean {
  let isInWord = false;
  let hasCased = false;
  for (const rune of runesOf(bytes)) {
    if ((rune >= 65 && rune <= 90) || isTitle(rune)) {
      if (isInWord) return false;
      isInWord = true;
      hasCased = true;
    } else if (isLower(rune)) {
      if (!isInWord) return false;
      hasCased = true;
    } else if (isUpper(rune)) return false;
    else isInWord = false;
  }
  return hasCased;
}
