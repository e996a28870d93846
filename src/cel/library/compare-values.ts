import { numberOf } from "../equal-values.ts";
import { noSuchOverload } from "../evaluation-error.ts";
import type { CostMeter } from "../meter.ts";
import { type CelValue, Duration, Timestamp } from "../values.ts";

/** The sign of left − right for values that have an order. */
export function compareCelValues(left: CelValue, right: CelValue): number {
  const [a, b] = [comparable(left), comparable(right)];
  if (a === undefined || b === undefined) return noSuchOverload();
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  if (a < b) return -1;
  return a > b ? 1 : 0;
}

/** The second of each pair, in the order of the first. */
export function sortByKeys(
  pairs: readonly (readonly [CelValue, CelValue])[],
  meter: CostMeter,
): readonly CelValue[] {
  meter.spend(pairs.length * Math.ceil(Math.log2(pairs.length + 1)));
  return [...pairs]
    .sort(([left], [right]) => compareCelValues(left, right))
    .map(([, item]) => item);
}

/** Texts compare by code points. */
function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

function comparable(value: CelValue): bigint | number | string | boolean | undefined {
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (value instanceof Timestamp || value instanceof Duration) return value.nanos;
  if (value instanceof Uint8Array) return Buffer.from(value).toString("latin1");
  return numberOf(value);
}
