import { asByteText, encodeRune, runeAt, type ByteText } from "./byte-text.ts";
import { raise } from "./evaluation-error.ts";
import { formatShortest, formatSixDigits } from "./format-float.ts";
import type { Meter } from "./limits.ts";
import { toInt } from "./operations/convert-int.ts";
import { display, show } from "./operations/show.ts";
import { typeName } from "./operations/type-name.ts";
import { StarlarkDict } from "./values/dict.ts";
import { StarlarkFloat } from "./values/float.ts";
import { isInt, isInt32 } from "./values/int.ts";
import { StarlarkTuple } from "./values/tuple.ts";
import type { Value } from "./values/value.ts";

/** `format % operand`: a tuple gives several arguments, a dict gives named ones. */
export function formatPercent(meter: Meter, format: string, operand: Value): ByteText {
  const positional = operand instanceof StarlarkTuple ? operand.items : [operand];
  let used = 0;
  let result = "";
  for (let index = 0; index < format.length;) {
    const percent = format.indexOf("%", index);
    if (percent === -1) {
      result += format.slice(index);
      break;
    }
    result += format.slice(index, percent);
    index = percent + 1;
    if (format[index] === "%") {
      result += "%";
      index++;
      continue;
    }
    let argument: Value | undefined;
    if (format[index] === "(") {
      const close = format.indexOf(")", index + 1);
      if (close === -1) raise("incomplete format key");
      argument = namedArgument(operand, format.slice(index + 1, close));
      index = close + 1;
    } else {
      argument = positional[used];
      if (argument === undefined) raise("not enough arguments for format string");
    }
    if (index >= format.length) raise("incomplete format");
    result += convert(format.charAt(index), argument);
    index++;
    used++;
  }
  if (used < positional.length && !(operand instanceof StarlarkDict)) {
    raise("too many arguments for format string");
  }
  meter.allocate(result.length);
  return asByteText(result);
}

function namedArgument(operand: Value, key: string): Value {
  if (!(operand instanceof StarlarkDict)) raise("format requires a mapping");
  const value = operand.get(asByteText(key));
  return value === undefined ? raise(`key not found: ${key}`) : value;
}

function convert(letter: string, argument: Value): string {
  switch (letter) {
    case "s":
      return display(argument);
    case "r":
      return show(argument);
    case "d":
    case "i":
    case "o":
    case "x":
    case "X":
      return convertInt(letter, argument);
    case "e":
    case "f":
    case "E":
    case "F":
      return formatSixDigits(floatArgument(letter, argument), letter);
    case "g":
    case "G":
      return formatShortest(floatArgument(letter, argument), letter);
    case "c":
      return convertCharacter(argument);
    case "%":
      return "%";
    default:
      raise(`unknown conversion %${encodeRune(letter.charCodeAt(0))}`);
  }
}

function convertInt(letter: "d" | "i" | "o" | "x" | "X", argument: Value): string {
  const int = toInt(argument, `%${letter} format requires integer: `);
  if (letter === "d" || letter === "i") return String(int);
  const digits = int.toString(letter === "o" ? 8 : 16);
  return letter === "X" ? digits.toUpperCase() : digits;
}

function floatArgument(letter: string, argument: Value): number {
  if (argument instanceof StarlarkFloat) return argument.number;
  if (isInt(argument)) return Number(argument);
  raise(`%${letter} format requires float, not ${typeName(argument)}`);
}

function convertCharacter(argument: Value): string {
  if (isInt(argument)) {
    if (!isInt32(argument) || argument < 0 || argument > 0x10ffff) {
      raise(`%c format requires a valid Unicode code point, got ${argument}`);
    }
    return encodeRune(argument);
  }
  if (typeof argument === "string") {
    const isSingle = argument !== "" && runeAt(argument, 0).size === argument.length;
    if (!isSingle) raise("%c format requires a single-character string");
    return encodeRune(runeAt(argument, 0).rune);
  }
  raise(`%c format requires int or single-character string, not ${typeName(argument)}`);
}
