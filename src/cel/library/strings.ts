import { celFailure, noSuchOverload } from "../evaluation-error.ts";
import type { CostMeter } from "../meter.ts";
import type { Library } from "../overload.ts";
import { type CelValue, ListValue } from "../values.ts";
import { formatText } from "./format-text.ts";

/** Texts, counted in characters and not in code units. */
export const stringLibrary: Library = {
  "[string].charAt(int) -> string": (text: string, index: bigint) => {
    const letters = Array.from(text);
    if (index < 0n || index > BigInt(letters.length)) {
      return celFailure(`index out of range: ${index}`);
    }
    return letters[Number(index)] ?? "";
  },
  "[string].indexOf(string) -> int": (text: string, part: string, meter: CostMeter) =>
    indexOf(text, part, 0n, meter),
  "[string].indexOf(string, int) -> int": indexOf,
  "[string].lastIndexOf(string) -> int": (text: string, part: string, meter: CostMeter) =>
    lastIndexOf(text, part, BigInt(Math.max(0, Array.from(text).length - 1)), meter),
  "[string].lastIndexOf(string, int) -> int": lastIndexOf,
  "[string].lowerAscii() -> string": (text: string) =>
    text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()),
  "[string].upperAscii() -> string": (text: string) =>
    text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase()),
  "[string].replace(string, string) -> string": (
    text: string,
    from: string,
    to: string,
    meter: CostMeter,
  ) => replace(text, from, to, -1n, meter),
  "[string].replace(string, string, int) -> string": replace,
  "[string].split(string) -> list(string)": (text: string, separator: string, meter: CostMeter) =>
    split(text, separator, -1n, meter),
  "[string].split(string, int) -> list(string)": split,
  "[string].substring(int) -> string": (text: string, start: bigint) =>
    substring(text, start, undefined),
  "[string].substring(int, int) -> string": substring,
  "[string].trim() -> string": (text: string) => text.replaceAll(/^[\s\u0085]+|[\s\u0085]+$/gu, ""),
  "[list(string)].join() -> string": (list: ListValue, meter: CostMeter) => join(list, "", meter),
  "[list(string)].join(string) -> string": join,
  "strings.quote(string) -> string": (text: string) => quote(text),
  "[string].format(list(dyn)) -> string": (text: string, args: ListValue, meter: CostMeter) =>
    formatText(text, args, meter),
};

function indexOf(text: string, part: string, from: bigint, meter: CostMeter): bigint {
  meter.spendOnText(text.length);
  const letters = Array.from(text);
  if (part === "") return from;
  if (from < 0n) return celFailure(`index out of range: ${from}`);
  if (from >= BigInt(letters.length)) return -1n;
  const skipped = letters.slice(0, Number(from)).join("").length;
  const at = text.indexOf(part, skipped);
  return at === -1 ? -1n : BigInt(Array.from(text.slice(0, at)).length);
}

function lastIndexOf(text: string, part: string, from: bigint, meter: CostMeter): bigint {
  meter.spendOnText(text.length);
  const letters = Array.from(text);
  if (part === "") return from;
  if (from < 0n) return celFailure(`index out of range: ${from}`);
  if (from > 0n && from >= BigInt(letters.length)) return -1n;
  const until = letters.slice(0, Number(from)).join("").length;
  const at = text.lastIndexOf(part, until);
  return at === -1 ? -1n : BigInt(Array.from(text.slice(0, at)).length);
}

function replace(text: string, from: string, to: string, limit: bigint, meter: CostMeter): string {
  meter.spendOnText(text.length);
  const parts = splitText(text, from);
  const times = limit < 0n ? parts.length - 1 : Math.min(Number(limit), parts.length - 1);
  // A replacement can be longer than everything else together.
  meter.spendOnText(times * to.length);
  if (from === "") {
    // Between all letters, and before the first and after the last.
    const letters = Array.from(text);
    const places = limit < 0n ? letters.length + 1 : Math.min(Number(limit), letters.length + 1);
    meter.spendOnText(places * to.length);
    return letters
      .map((letter, index) => (index < places ? `${to}${letter}` : letter))
      .concat(places > letters.length ? [to] : [])
      .join("");
  }
  const [head = "", ...tail] = parts;
  return tail.reduce((result, part, index) => result + (index < times ? to : from) + part, head);
}

function split(text: string, separator: string, limit: bigint, meter: CostMeter): ListValue {
  meter.spendOnText(text.length);
  if (limit === 0n) return ListValue.of([]);
  const parts = splitText(text, separator);
  if (limit < 0n || BigInt(parts.length) <= limit) return ListValue.of(parts);
  const kept = parts.slice(0, Number(limit) - 1);
  return ListValue.of([...kept, parts.slice(Number(limit) - 1).join(separator)]);
}

function splitText(text: string, separator: string): readonly string[] {
  return separator === "" ? Array.from(text) : text.split(separator);
}

function substring(text: string, start: bigint, end: bigint | CostMeter | undefined): string {
  const letters = Array.from(text);
  const length = BigInt(letters.length);
  const until = typeof end === "bigint" ? end : length;
  if (start < 0n || start > length) return celFailure(`index out of range: ${start}`);
  if (until < 0n || until > length) return celFailure(`index out of range: ${until}`);
  if (start > until) {
    return celFailure(`invalid substring range. start: ${start}, end: ${until}`);
  }
  return letters.slice(Number(start), Number(until)).join("");
}

function join(list: ListValue, separator: string, meter: CostMeter): string {
  const texts = list.items().map(textOf);
  meter.spendOnText(texts.reduce((sum, { length }) => sum + length + separator.length, 0));
  return texts.join(separator);
}

function textOf(value: CelValue): string {
  return typeof value === "string" ? value : noSuchOverload();
}

const escapes: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};

function quote(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return `"${text.replaceAll(/[\u0007-\r"\\]/g, (letter) => escapes[letter] ?? letter)}"`;
}
