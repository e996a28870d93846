import type { KubernetesObject } from "../../objects/index.ts";
import type { Retention } from "../model/template.ts";
import type { Health } from "../stamping/health-of.ts";

/** One object of an immutable template: there is one for every distinct content. */
export interface JudgedRun {
  readonly object: KubernetesObject;
  readonly health: Health;
  /** Whether it is what is wanted now. */
  readonly isCurrent: boolean;
}

/** The newest first; of those made in the same second the one that is wanted now. */
export function newestFirst(runs: readonly JudgedRun[]): readonly JudgedRun[] {
  return runs.toSorted(
    (left, right) =>
      madeAt(right) - madeAt(left) ||
      Number(right.isCurrent) - Number(left.isCurrent) ||
      ((left.object.metadata.name ?? "") < (right.object.metadata.name ?? "") ? -1 : 1),
  );
}

/** The runs beyond those that are kept: so many of each outcome, and all that are under way. */
export function beyondRetention(
  runs: readonly JudgedRun[],
  { failed, successful }: Retention,
): readonly JudgedRun[] {
  const ended = newestFirst(runs).filter(
    ({ object }) => object.metadata.deletionTimestamp === undefined,
  );
  return [
    ...ended.filter(({ health }) => health.status === "True").slice(successful),
    ...ended.filter(({ health }) => health.status === "False").slice(failed),
  ].filter(({ isCurrent }) => !isCurrent);
}

function madeAt({ object }: JudgedRun): number {
  return Date.parse(object.metadata.creationTimestamp ?? "") || 0;
}
