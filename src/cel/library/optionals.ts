import { celFailure } from "../evaluation-error.ts";
import type { Library } from "../overload.ts";
import {
  type CelValue,
  Duration,
  isMapValue,
  ListValue,
  none,
  OptionalValue,
  UnsignedInteger,
} from "../values.ts";

/** Values that may not be there. */
export const optionalLibrary: Library = {
  "optional.of(T) -> optional(T)": (value: CelValue) => new OptionalValue(value),
  "optional.none() -> optional(T)": () => none,
  "optional.ofNonZeroValue(T) -> optional(T)": (value: CelValue) =>
    isZero(value) ? none : new OptionalValue(value),
  "optional.unwrap(list(optional(T))) -> list(T)": unwrap,
  "[list(optional(T))].unwrapOpt() -> list(T)": unwrap,
  "[optional(T)].hasValue() -> bool": ({ value }: OptionalValue) => value !== undefined,
  "[optional(T)].value() -> T": ({ value }: OptionalValue) =>
    value === undefined ? celFailure("optional.none() dereference") : value,
  "[optional(T)].or(optional(T)) -> optional(T)": (left: OptionalValue, right: OptionalValue) =>
    left.value === undefined ? right : left,
  "[optional(T)].orValue(T) -> T": ({ value }: OptionalValue, other: CelValue) =>
    value === undefined ? other : value,
};

function unwrap(list: ListValue): ListValue {
  return ListValue.of(
    list
      .items()
      .flatMap((item) =>
        item instanceof OptionalValue && item.value !== undefined ? [item.value] : [],
      ),
  );
}

function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === 0n || value === 0 || value === "") return true;
  if (value instanceof ListValue || value instanceof Uint8Array) return value.length === 0;
  if (value instanceof UnsignedInteger) return value.value === 0n;
  if (value instanceof Duration) return value.nanos === 0n;
  return isMapValue(value) && value.size === 0;
}
