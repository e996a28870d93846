import { equalCelValues } from "../equal-values.ts";
import type { CostMeter } from "../meter.ts";
import type { Library } from "../overload.ts";
import type { ListValue } from "../values.ts";

/** Lists taken as sets. */
export const setLibrary: Library = {
  "sets.contains(list(T), list(T)) -> bool": contains,
  "sets.equivalent(list(T), list(T)) -> bool": (
    left: ListValue,
    right: ListValue,
    meter: CostMeter,
  ) => contains(left, right, meter) && contains(right, left, meter),
  "sets.intersects(list(T), list(T)) -> bool": (
    left: ListValue,
    right: ListValue,
    meter: CostMeter,
  ) => left.items().some((item) => right.items().some((each) => equalCelValues(item, each, meter))),
};

function contains(list: ListValue, sublist: ListValue, meter: CostMeter): boolean {
  return sublist
    .items()
    .every((item) => list.items().some((each) => equalCelValues(item, each, meter)));
}
