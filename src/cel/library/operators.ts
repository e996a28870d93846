import { compileRegularExpression } from "../../schema/index.ts";
import { equalCelValues } from "../equal-values.ts";
import { celFailure } from "../evaluation-error.ts";
import type { CostMeter } from "../meter.ts";
import type { Library } from "../overload.ts";
import {
  type CelValue,
  Duration,
  ListValue,
  type MapValue,
  Timestamp,
  typeNameOf,
  TypeValue,
  UnsignedInteger,
} from "../values.ts";
import { compareCelValues } from "./compare-values.ts";

/** Arithmetic, order, membership and the functions that every implementation has. */
export const operatorLibrary: Library = {
  "!_(bool) -> bool": (value: boolean) => !value,
  "-_(int) -> int": (value: bigint) => inIntRange(-value),
  "-_(double) -> double": (value: number) => -value,
  ...arithmetic(),
  "_+_(string, string) -> string": (left: string, right: string, meter: CostMeter) => {
    meter.spendOnText(left.length + right.length);
    return left + right;
  },
  "_+_(bytes, bytes) -> bytes": (left: Uint8Array, right: Uint8Array, meter: CostMeter) => {
    meter.spendOnText(left.length + right.length);
    return new Uint8Array([...left, ...right]);
  },
  "_+_(list(T), list(T)) -> list(T)": addLists,
  "_+_(timestamp, duration) -> timestamp": (left: Timestamp, right: Duration) =>
    new Timestamp(left.nanos + right.nanos),
  "_+_(duration, timestamp) -> timestamp": (left: Duration, right: Timestamp) =>
    new Timestamp(left.nanos + right.nanos),
  "_+_(duration, duration) -> duration": (left: Duration, right: Duration) =>
    new Duration(inIntRange(left.nanos + right.nanos)),
  "_-_(timestamp, duration) -> timestamp": (left: Timestamp, right: Duration) =>
    new Timestamp(left.nanos - right.nanos),
  "_-_(timestamp, timestamp) -> duration": (left: Timestamp, right: Timestamp) =>
    new Duration(inIntRange(left.nanos - right.nanos)),
  "_-_(duration, duration) -> duration": (left: Duration, right: Duration) =>
    new Duration(inIntRange(left.nanos - right.nanos)),
  ...order(),
  "_==_(T, T) -> bool": (left: CelValue, right: CelValue, meter: CostMeter) =>
    equalCelValues(left, right, meter),
  "_!=_(T, T) -> bool": (left: CelValue, right: CelValue, meter: CostMeter) =>
    !equalCelValues(left, right, meter),
  "@in(T, list(T)) -> bool": (item: CelValue, list: ListValue, meter: CostMeter) => {
    for (let index = 0; index < list.length; index++) {
      if (equalCelValues(item, list.at(index), meter)) return true;
    }
    return false;
  },
  "@in(K, map(K, V)) -> bool": (key: CelValue, map: MapValue) => map.get(key) !== undefined,
  "size(string) -> int": sizeOfText,
  "[string].size() -> int": sizeOfText,
  "size(bytes) -> int": (bytes: Uint8Array) => BigInt(bytes.length),
  "[bytes].size() -> int": (bytes: Uint8Array) => BigInt(bytes.length),
  "size(list(T)) -> int": (list: ListValue) => BigInt(list.length),
  "[list(T)].size() -> int": (list: ListValue) => BigInt(list.length),
  "size(map(K, V)) -> int": (map: MapValue) => BigInt(map.size),
  "[map(K, V)].size() -> int": (map: MapValue) => BigInt(map.size),
  "type(T) -> type": (value: CelValue) => new TypeValue(typeNameOf(value)),
  "dyn(T) -> dyn": (value: CelValue) => value,
  "[string].contains(string) -> bool": (text: string, part: string, meter: CostMeter) => {
    meter.spendOnText(text.length);
    return text.includes(part);
  },
  "[string].startsWith(string) -> bool": (text: string, part: string) => text.startsWith(part),
  "[string].endsWith(string) -> bool": (text: string, part: string) => text.endsWith(part),
  "matches(string, string) -> bool": matches,
  "[string].matches(string) -> bool": matches,
  "[string].find(string) -> string": (text: string, pattern: string, meter: CostMeter) =>
    findAll(text, pattern, 1, meter)[0] ?? "",
  "[string].findAll(string) -> list(string)": (text: string, pattern: string, meter: CostMeter) =>
    ListValue.of(findAll(text, pattern, -1, meter)),
  "[string].findAll(string, int) -> list(string)": (
    text: string,
    pattern: string,
    limit: bigint,
    meter: CostMeter,
  ) => ListValue.of(findAll(text, pattern, Number(limit), meter)),
};

const largest = (1n << 63n) - 1n;

/** Keeps an integer within 64 bits. */
export function inIntRange(value: bigint): bigint {
  return value > largest || value < -largest - 1n ? celFailure("integer overflow") : value;
}

export function uint(value: bigint): UnsignedInteger {
  if (value < 0n || value > 2n * largest + 1n) {
    return celFailure("unsigned integer overflow");
  }
  return new UnsignedInteger(value);
}

type Compute = (left: bigint, right: bigint) => bigint;

function arithmetic(): Library {
  const exact: Readonly<Record<string, Compute>> = {
    "+": (left, right) => left + right,
    "-": (left, right) => left - right,
    "*": (left, right) => left * right,
    "/": (left, right) => (right === 0n ? celFailure("division by zero") : left / right),
    "%": (left, right) => (right === 0n ? celFailure("modulus by zero") : left % right),
  };
  const library: Record<string, Library[string]> = {
    "_+_(double, double) -> double": (left: number, right: number) => left + right,
    "_-_(double, double) -> double": (left: number, right: number) => left - right,
    "_*_(double, double) -> double": (left: number, right: number) => left * right,
    "_/_(double, double) -> double": (left: number, right: number) => left / right,
  };
  for (const [operator, compute] of Object.entries(exact)) {
    library[`_${operator}_(int, int) -> int`] = (left: bigint, right: bigint) =>
      inIntRange(compute(left, right));
    library[`_${operator}_(uint, uint) -> uint`] = (
      left: UnsignedInteger,
      right: UnsignedInteger,
    ) => uint(compute(left.value, right.value));
  }
  return library;
}

function order(): Library {
  const tests: Readonly<Record<string, (sign: number) => boolean>> = {
    "<": (sign) => sign < 0,
    "<=": (sign) => sign <= 0,
    ">": (sign) => sign > 0,
    ">=": (sign) => sign >= 0,
  };
  const numbers = ["int", "uint", "double"];
  const pairs = [
    ...["bool", "string", "bytes", "timestamp", "duration"].map((type) => [type, type]),
    ...numbers.flatMap((left) => numbers.map((right) => [left, right])),
  ];
  const library: Record<string, Library[string]> = {};
  for (const [operator, test] of Object.entries(tests)) {
    for (const [left, right] of pairs) {
      library[`_${operator}_(${left}, ${right}) -> bool`] = (a: CelValue, b: CelValue) =>
        test(compareCelValues(a, b));
    }
  }
  return library;
}

/** Sets stay sets and keyed lists replace what has the same key; other lists are joined. */
function addLists(left: ListValue, right: ListValue, meter: CostMeter): ListValue {
  meter.spend(left.length + right.length);
  const { identity } = left;
  if (identity?.kind === "set") {
    const added = right
      .items()
      .filter((item) => !left.items().some((each) => equalCelValues(each, item, meter)));
    return ListValue.of([...left.items(), ...added], identity);
  }
  if (identity?.kind === "map") {
    const sameKeys = (a: CelValue, b: CelValue): boolean =>
      identity.keys.every((key) => {
        const [mine, theirs] = [(a as MapValue).get(key), (b as MapValue).get(key)];
        return mine !== undefined && theirs !== undefined && equalCelValues(mine, theirs, meter);
      });
    const items = [...left.items()];
    for (const item of right.items()) {
      const at = items.findIndex((each) => sameKeys(each, item));
      if (at === -1) items.push(item);
      else items[at] = item;
    }
    return ListValue.of(items, identity);
  }
  return new ListValue(left.length + right.length, (index) =>
    index < left.length ? left.at(index) : right.at(index - left.length),
  );
}

function sizeOfText(text: string, meter: CostMeter): bigint {
  meter.spendOnText(text.length);
  return BigInt(Array.from(text).length);
}

function matches(text: string, pattern: string, meter: CostMeter): boolean {
  meter.spendOnText(text.length * Math.ceil(pattern.length / 4));
  return expressionOf(pattern).test(text);
}

function findAll(
  text: string,
  pattern: string,
  limit: number,
  meter: CostMeter,
): readonly string[] {
  meter.spendOnText(text.length * Math.ceil(pattern.length / 4));
  return expressionOf(pattern).findAll(text, limit);
}

function expressionOf(pattern: string): {
  readonly test: (text: string) => boolean;
  readonly findAll: (text: string, limit: number) => readonly string[];
} {
  const compiled = compileRegularExpression(pattern);
  return typeof compiled === "string" ? celFailure(compiled) : compiled;
}
