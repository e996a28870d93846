import type { Value } from "../values/value.ts";

/** Whether a value counts as true in a condition. */
export function isTrue(value: Value): boolean {
  if (typeof value === "object") return value !== null && value.isTruthy;
  return Boolean(value);
}
