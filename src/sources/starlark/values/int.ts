import { EvaluationError } from "../evaluation-error.ts";
import type { Value } from "./value.ts";

/** The one form of an integer: a number where that is exact, otherwise a bigint. */
export function intOf(int: bigint): number | bigint {
  const small = Number(int);
  return Number.isSafeInteger(small) ? small : int;
}

export function isInt(value: Value): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** Rounds to the nearest float, to even when halfway; fails when it is beyond all floats. */
export function finiteFloat(int: number | bigint): number {
  const float = Number(int);
  if (!Number.isFinite(float)) throw new EvaluationError("int too large to convert to float");
  return float;
}

const smallest = -(2 ** 31);
const largest = 2 ** 31 - 1;

export function isInt32(int: number | bigint): int is number {
  return typeof int === "number" && int >= smallest && int <= largest;
}
