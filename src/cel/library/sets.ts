import { equalValues } from "../equal-values.ts";
import type { Meter } from "../meter.ts";
import type { Library } from "../overload.ts";
import type { ListValue } from "../values.ts";

/** Lists taken as sets. */
export const setLibrary: Library = {
  "sets.contains(list(T), list(T)) -> bool": contains,
  "sets.equivalent(list(T), list(T)) -> bool": (left: ListValue, right: ListValue, meter: Meter) =>
    contains(left, right, meter) && contains(right, left, meter),
  "sets.intersects(list(T), list(T)) -> bool": (left: ListValue, right: ListValue, meter: Meter) =>
    left.items().some((item) => right.items().some((each) => equalValues(item, each, meter))),
};

function contains(list: ListValue, sublist: ListValue, meter: Meter): boolean {
  return sublist
    .items()
    .every((item) => list.items().some((each) => equalValues(item, each, meter)));
}
