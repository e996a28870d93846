import {
  anyValue,
  iterable,
  optional,
  required,
  unpackArguments,
  unpackPositional,
} from "../arguments.ts";
import { asByteText, encodeRune, mapRunes, runeAt, runesOf, type ByteText } from "../byte-text.ts";
import { raise } from "../evaluation-error.ts";
import { parseInt, toInt } from "../operations/convert-int.ts";
import { asInt32 } from "../operations/element.ts";
import { collect } from "../operations/iterate.ts";
import { show } from "../operations/show.ts";
import { isTrue } from "../operations/truth.ts";
import { typeName } from "../operations/type-name.ts";
import { unary } from "../operations/unary.ts";
import { parseFloat } from "../parse-float.ts";
import { StarlarkBytes } from "../values/bytes.ts";
import type { BuiltinCode } from "../values/callable.ts";
import { StarlarkFloat } from "../values/float.ts";
import { finiteFloat, isInt } from "../values/int.ts";
import { StarlarkList } from "../values/list.ts";
import { StarlarkTuple } from "../values/tuple.ts";
import type { Value } from "../values/value.ts";
import { exactlyOne } from "./exactly-one.ts";

/** Builtins that make a value of one type out of another. */
export const conversionFunctions: Readonly<Record<string, BuiltinCode>> = {
  abs(_thread, args, keywords, name) {
    const [value] = unpackPositional(name, args, keywords, [anyValue]);
    if (value instanceof StarlarkFloat) return new StarlarkFloat(Math.abs(value.number));
    if (!isInt(value)) raise(`got ${typeName(value)}, want int or float`);
    return value < 0 ? unary("-", value) : value;
  },

  bool(_thread, args, keywords, name) {
    const [value = false] = unpackPositional(name, args, keywords, [], [anyValue]);
    return isTrue(value);
  },

  bytes({ meter }, args, keywords) {
    const value = exactlyOne("bytes", args, keywords, "exactly 1");
    if (value instanceof StarlarkBytes) return value;
    if (typeof value === "string") return new StarlarkBytes(repairText(value));
    const items = collect(meter, value);
    if (items === undefined) {
      raise(`bytes: got ${typeName(value)}, want string, bytes, or iterable of ints`);
    }
    return new StarlarkBytes(asByteText(items.map(byteOf).join("")));
  },

  chr(_thread, args, keywords) {
    const code = asInt32(exactlyOne("chr", args, keywords, "1"), "chr: ");
    if (code < 0) raise(`chr: Unicode code point ${code} out of range (<0)`);
    if (code > 0x10ffff) {
      const shown = code.toString(16).toUpperCase();
      raise(`chr: Unicode code point U+${shown} out of range (>0x10FFFF)`);
    }
    return encodeRune(code);
  },

  float(_thread, args, keywords) {
    if (keywords.length > 0) raise("float does not accept keyword arguments");
    if (args.length > 1) raise(`float got ${args.length} arguments, wants 1`);
    const [value = 0] = args;
    if (value instanceof StarlarkFloat) return value;
    if (typeof value === "boolean") return new StarlarkFloat(value ? 1 : 0);
    if (isInt(value)) return new StarlarkFloat(finiteFloat(value));
    if (typeof value === "string") return new StarlarkFloat(parseFloat(value));
    raise(`float got ${typeName(value)}, want number or string`);
  },

  int(_thread, args, keywords) {
    const { x, base } = unpackArguments("int", args, keywords, {
      x: required(anyValue),
      base: optional(anyValue),
    });
    if (typeof x === "string") return parseWithBase(x, base);
    if (base !== undefined) raise("int: can't convert non-string with explicit base");
    return typeof x === "boolean" ? Number(x) : toInt(x, "int: ");
  },

  list({ meter }, args, keywords, name) {
    const [elements] = unpackPositional(name, args, keywords, [], [iterable]);
    return new StarlarkList(elements === undefined ? [] : collect(meter, elements));
  },

  ord(_thread, args, keywords) {
    const value = exactlyOne("ord", args, keywords, "1");
    if (value instanceof StarlarkBytes) {
      if (value.length !== 1) raise(`ord: bytes has length ${value.length}, want 1`);
      return value.bytes.charCodeAt(0);
    }
    if (typeof value !== "string") raise(`ord: got ${typeName(value)}, want string or bytes`);
    const isSingle = value !== "" && runeAt(value, 0).size === value.length;
    if (isSingle) return runeAt(value, 0).rune;
    raise(`ord: string encodes ${runesOf(value).length} Unicode code points, want 1`);
  },

  str({ meter }, args, keywords) {
    const value = exactlyOne("str", args, keywords, "exactly 1");
    if (typeof value === "string") return value;
    const shown = value instanceof StarlarkBytes ? repairText(value.bytes) : show(value);
    meter.allocate(shown.length);
    return shown;
  },

  tuple({ meter }, args, keywords, name) {
    const [elements] = unpackPositional(name, args, keywords, [], [iterable]);
    return new StarlarkTuple(elements === undefined ? [] : (collect(meter, elements) ?? []));
  },
};

/** Bytes that are no UTF-8 become the encoding of U+FFFD. */
function repairText(bytes: ByteText): ByteText {
  return mapRunes(bytes, (rune) => rune);
}

function byteOf(value: Value, index: number): string {
  if (!isInt(value)) raise(`bytes: at index ${index}, got ${typeName(value)}, want int`);
  if (typeof value === "bigint" || value < 0 || value > 255) {
    raise(`bytes: at index ${index}, ${value} out of range (want value in unsigned 8-bit range)`);
  }
  return String.fromCharCode(value);
}

function parseWithBase(text: string, base: Value | undefined): Value {
  if (base !== undefined && !isInt(base)) raise(`int: for base, got ${typeName(base)}, want int`);
  const radix = base === undefined ? 10 : Number(base);
  if (radix !== 0 && (radix < 2 || radix > 36)) {
    raise("int: base must be an integer >= 2 && <= 36");
  }
  return parseInt(text, radix) ?? raise(`int: invalid literal with base ${radix}: ${text}`);
}
