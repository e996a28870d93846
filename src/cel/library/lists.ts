import { equalCelValues } from "../equal-values.ts";
import { celFailure, noSuchOverload } from "../evaluation-error.ts";
import type { CostMeter } from "../meter.ts";
import type { Library } from "../overload.ts";
import {
  type CelValue,
  Duration,
  ListValue,
  none,
  OptionalValue,
  UnsignedInteger,
} from "../values.ts";
import { compareCelValues, sortByKeys } from "./compare-values.ts";
import { inIntRange, uint } from "./operators.ts";

const ordered = ["int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes"];
const summable = ["int", "uint", "double", "duration"];
const longestRange = 100_000;

/** What lists can do besides what macros do. */
export const listLibrary: Library = {
  ...each(ordered, (type) => `[list(${type})].isSorted() -> bool`, isSorted),
  ...each(summable, (type) => `[list(${type})].sum() -> ${type}`, sum),
  ...each(
    ordered,
    (type) => `[list(${type})].min() -> ${type}`,
    (list: ListValue, meter: CostMeter) => extreme(list, -1, "min", meter),
  ),
  ...each(
    ordered,
    (type) => `[list(${type})].max() -> ${type}`,
    (list: ListValue, meter: CostMeter) => extreme(list, 1, "max", meter),
  ),
  ...each(
    ordered,
    (type) => `[list(${type})].sort() -> list(${type})`,
    (list: ListValue, meter: CostMeter) =>
      ListValue.of(
        sortByKeys(
          list.items().map((item) => [item, item]),
          meter,
        ),
      ),
  ),
  "[list(T)].indexOf(T) -> int": (list: ListValue, item: CelValue, meter: CostMeter) =>
    BigInt(list.items().findIndex((each) => equalCelValues(each, item, meter))),
  "[list(T)].lastIndexOf(T) -> int": (list: ListValue, item: CelValue, meter: CostMeter) =>
    BigInt(list.items().findLastIndex((each) => equalCelValues(each, item, meter))),
  "[list(T)].distinct() -> list(T)": (list: ListValue, meter: CostMeter) => {
    const kept: CelValue[] = [];
    for (const item of list.items()) {
      if (!kept.some((each) => equalCelValues(each, item, meter))) kept.push(item);
    }
    return ListValue.of(kept);
  },
  "[list(list(T))].flatten() -> list(T)": (list: ListValue, meter: CostMeter) =>
    ListValue.of(flatten(list, 1, meter)),
  "[list(dyn)].flatten(int) -> list(dyn)": (list: ListValue, depth: bigint, meter: CostMeter) =>
    depth < 0n
      ? celFailure("level must be non-negative")
      : ListValue.of(flatten(list, Number(depth), meter)),
  "[list(T)].slice(int, int) -> list(T)": slice,
  "[list(T)].reverse() -> list(T)": (list: ListValue) => ListValue.of(list.items().toReversed()),
  "[list(T)].first() -> optional(T)": (list: ListValue) =>
    list.length === 0 ? none : new OptionalValue(list.at(0)),
  "[list(T)].last() -> optional(T)": (list: ListValue) =>
    list.length === 0 ? none : new OptionalValue(list.at(list.length - 1)),
  "lists.range(int) -> list(int)": (end: bigint, meter: CostMeter) => {
    if (end > BigInt(longestRange)) return celFailure("range is too large");
    meter.spend(Math.max(0, Number(end)));
    return new ListValue(Math.max(0, Number(end)), BigInt);
  },
};

function each(
  types: readonly string[],
  signature: (type: string) => string,
  implementation: Library[string],
): Library {
  return Object.fromEntries(types.map((type) => [signature(type), implementation]));
}

function isSorted(list: ListValue, meter: CostMeter): boolean {
  meter.spend(list.length);
  for (let index = 1; index < list.length; index++) {
    if (compareCelValues(list.at(index - 1), list.at(index)) > 0) return false;
  }
  return true;
}

function sum(list: ListValue, meter: CostMeter): CelValue {
  meter.spend(list.length);
  return list.items().reduce<CelValue>((total, item, index) => {
    if (index === 0) return item;
    if (typeof total === "bigint" && typeof item === "bigint") return inIntRange(total + item);
    if (typeof total === "number" && typeof item === "number") return total + item;
    if (total instanceof Duration && item instanceof Duration) {
      return new Duration(inIntRange(total.nanos + item.nanos));
    }
    if (total instanceof UnsignedInteger && item instanceof UnsignedInteger) {
      return uint(total.value + item.value);
    }
    return noSuchOverload();
  }, 0n);
}

function extreme(list: ListValue, sign: number, name: string, meter: CostMeter): CelValue {
  meter.spend(list.length);
  if (list.length === 0) return celFailure(`${name} called on empty list`);
  return list
    .items()
    .reduce((best, item) => (compareCelValues(item, best) * sign > 0 ? item : best));
}

function flatten(list: ListValue, depth: number, meter: CostMeter): readonly CelValue[] {
  meter.spend(list.length);
  return list
    .items()
    .flatMap((item) =>
      item instanceof ListValue && depth > 0 ? flatten(item, depth - 1, meter) : [item],
    );
}

function slice(list: ListValue, start: bigint, end: bigint): ListValue {
  if (start < 0n || end < 0n) {
    return celFailure(`cannot slice(${start}, ${end}), negative indexes not supported`);
  }
  if (start > end) {
    return celFailure(
      `cannot slice(${start}, ${end}), start index must be less than or equal to end index`,
    );
  }
  if (end > BigInt(list.length)) {
    return celFailure(`cannot slice(${start}, ${end}), list is length ${list.length}`);
  }
  return ListValue.of(list.items().slice(Number(start), Number(end)));
}
