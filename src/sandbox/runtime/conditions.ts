import type { Condition } from "../../causes/index.ts";

export function findCondition<T extends Condition>(
  conditions: readonly T[] | undefined,
  type: string,
): T | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** The time of the last change of a condition's status: as it was, or now when it changes. */
export function transitionTime(
  before: readonly Condition[] | undefined,
  { type, status }: Condition,
  now: string,
): string {
  const earlier = findCondition(before, type);
  return earlier?.status === status ? (earlier.lastTransitionTime ?? now) : now;
}
