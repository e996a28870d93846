import type { Meter } from "../limits.ts";
import type { ElementIterator, Value } from "../values/value.ts";
import { wordBytes } from "./size.ts";

/** Undefined where a value is not iterable; strings are not. */
export function iterate(value: Value): ElementIterator | undefined {
  return typeof value === "object" && value !== null ? value.iterate() : undefined;
}

/** Whether there is anything to iterate over; unlike an iterator, asking leaves no trace. */
export function isIterable(value: Value): boolean {
  const iterator = iterate(value);
  iterator?.done();
  return iterator !== undefined;
}

/** All elements of an iterable; each counts as a step. */
export function collect(meter: Meter, value: Value): Value[] | undefined {
  const iterator = iterate(value);
  if (iterator === undefined) return undefined;
  const items: Value[] = [];
  try {
    for (let item = iterator.next(); item !== undefined; item = iterator.next()) {
      meter.step(1);
      meter.allocate(wordBytes);
      items.push(item);
    }
  } finally {
    iterator.done();
  }
  return items;
}

/** The number of elements or bytes, -1 where a value has no length. */
export function lengthOf(value: Value): number {
  if (typeof value === "string") return value.length;
  return typeof value === "object" && value !== null ? value.length : -1;
}
