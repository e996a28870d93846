import { isProvisioned, outputValue } from "./deferred.ts";
import { holdsProvisioned } from "./holds-provisioned.ts";
import { acceptProvisioned } from "./runtime/own-functions.ts";
import { makeDeferred } from "./provisioned-value.ts";

/**
 * A value, known or not, from which another is computed:
 * `output(bucket.arn).map((arn) => arn.split(":")[4])`.
 */
export class Output<T> {
  readonly [outputValue]: T;

  constructor(value: T) {
    this[outputValue] = value;
  }

  /** Computes at once when all is known, else when the resources behind the value are applied. */
  map<U>(compute: (value: T) => U): U {
    if (!holdsProvisioned(this[outputValue])) return compute(this[outputValue]);
    return makeDeferred({ kind: "map", of: this[outputValue], compute }) as U;
  }
}

/** Takes a value, or a list or an object of values, to compute another from it by `map`. */
export function output<T>(value: T): Output<T> {
  return new Output(value);
}

/** One of two values, by a condition that need not be known yet. */
export function when<A, B>(condition: unknown, yes: A, no: B): A | B {
  if (!holdsProvisioned(condition)) return condition ? yes : no;
  return makeDeferred({ kind: "when", condition, yes, no }) as A | B;
}

/** A list of values computed from those of a list that need not be known yet. */
export function each<T, U>(list: readonly T[], compute: (item: T, index: number) => U): U[] {
  if (!isProvisioned(list)) return list.map((item, index) => compute(item, index));
  return makeDeferred({ kind: "each", list, compute }) as U[];
}

// oxlint-disable-next-line typescript/unbound-method -- it is only named here
acceptProvisioned(output, when, each, Output, Output.prototype.map);
