import type { CostMeter } from "./meter.ts";
import {
  type CelValue,
  Duration,
  isMapValue,
  ListValue,
  type MapValue,
  OpaqueValue,
  OptionalValue,
  Timestamp,
  TypeValue,
  UnsignedInteger,
} from "./values.ts";

/** Equality of expressions: numbers by amount, lists of sets and maps in any order. */
export function equalCelValues(left: CelValue, right: CelValue, meter: CostMeter): boolean {
  meter.spend(1);
  if (left === right) return true;
  const leftNumber = numberOf(left);
  if (leftNumber !== undefined) {
    const rightNumber = numberOf(right);
    // Loosely, because an int and a double may be the same number.
    // oxlint-disable-next-line eqeqeq
    return rightNumber !== undefined && leftNumber == rightNumber;
  }
  if (left instanceof ListValue) {
    return right instanceof ListValue && equalLists(left, right, meter);
  }
  if (left instanceof Timestamp) return right instanceof Timestamp && left.nanos === right.nanos;
  if (left instanceof Duration) return right instanceof Duration && left.nanos === right.nanos;
  if (left instanceof TypeValue) return right instanceof TypeValue && left.name === right.name;
  if (left instanceof Uint8Array) {
    return (
      right instanceof Uint8Array &&
      left.length === right.length &&
      left.every((byte, index) => byte === right[index])
    );
  }
  if (left instanceof OpaqueValue) {
    return (
      right instanceof OpaqueValue &&
      left.typeName === right.typeName &&
      left.identity === right.identity
    );
  }
  if (left instanceof OptionalValue) {
    if (!(right instanceof OptionalValue)) return false;
    if (left.value === undefined || right.value === undefined) return left.value === right.value;
    return equalCelValues(left.value, right.value, meter);
  }
  return isMapValue(left) && isMapValue(right) && equalMaps(left, right, meter);
}

export function numberOf(value: CelValue): bigint | number | undefined {
  if (typeof value === "bigint" || typeof value === "number") return value;
  return value instanceof UnsignedInteger ? value.value : undefined;
}

function equalLists(left: ListValue, right: ListValue, meter: CostMeter): boolean {
  if (left.length !== right.length) return false;
  const identity = left.identity ?? right.identity;
  if (identity === undefined) {
    return left.items().every((item, index) => equalCelValues(item, right.at(index), meter));
  }
  return left
    .items()
    .every((item) => right.items().some((other) => equalCelValues(item, other, meter)));
}

function equalMaps(left: MapValue, right: MapValue, meter: CostMeter): boolean {
  if (left.size !== right.size) return false;
  return left.keys().every((key) => {
    const mine = left.get(key);
    const theirs = right.get(key);
    return mine !== undefined && theirs !== undefined && equalCelValues(mine, theirs, meter);
  });
}
