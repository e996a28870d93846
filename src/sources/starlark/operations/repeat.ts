import { asByteText } from "../byte-text.ts";
import { raise } from "../evaluation-error.ts";
import type { Meter } from "../limits.ts";
import { StarlarkBytes } from "../values/bytes.ts";
import { isInt, isInt32 } from "../values/int.ts";
import { StarlarkList } from "../values/list.ts";
import { StarlarkTuple } from "../values/tuple.ts";
import type { Value } from "../values/value.ts";
import { objectBytes, wordBytes } from "./size.ts";

const mostElements = 2 ** 30;

/** A sequence times an int, in either order; undefined for other operands. */
export function repeat(meter: Meter, left: Value, right: Value): Value | undefined {
  if (isInt(left)) return isInt(right) ? undefined : repeatSequence(meter, right, left);
  return isInt(right) ? repeatSequence(meter, left, right) : undefined;
}

function repeatSequence(meter: Meter, value: Value, count: number | bigint): Value | undefined {
  if (typeof value === "string") return asByteText(repeatBytes(meter, value, count));
  if (value instanceof StarlarkBytes) {
    return new StarlarkBytes(asByteText(repeatBytes(meter, value.bytes, count)));
  }
  if (value instanceof StarlarkList)
    return new StarlarkList(repeatItems(meter, value.items, count));
  if (value instanceof StarlarkTuple)
    return new StarlarkTuple(repeatItems(meter, value.items, count));
  return undefined;
}

function repeatBytes(meter: Meter, bytes: string, count: number | bigint): string {
  const times = checkCount(bytes.length, count);
  meter.allocate(objectBytes + bytes.length * times);
  return bytes.repeat(times);
}

function repeatItems(meter: Meter, items: readonly Value[], count: number | bigint): Value[] {
  const times = checkCount(items.length, count);
  meter.allocate(objectBytes + items.length * times * wordBytes);
  const result: Value[] = [];
  for (let round = 0; round < times; round++) {
    meter.step(items.length);
    for (const item of items) result.push(item);
  }
  return result;
}

function checkCount(length: number, count: number | bigint): number {
  if (length === 0) return 0;
  if (!isInt32(count)) raise(`repeat count ${count} too large`);
  if (count < 1) return 0;
  if (length * count >= mostElements) raise(`excessive repeat (${length} * ${count} elements)`);
  return count;
}
