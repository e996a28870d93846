import { identityKey, identityOf, type KubernetesObject } from "../../objects/index.ts";
import type { Blueprint } from "../model/blueprint.ts";
import { labelValue, stepLabel } from "../stamping/stamp-labels.ts";
import type { Action, DeleteReason } from "./realization.ts";
import type { StepResult } from "./step-result.ts";

/**
 * What was stamped and is no longer: the step went, or it stamps something else now. As long as a
 * step cannot say what it stamps, what it has stays.
 */
export function orphans(
  live: readonly KubernetesObject[],
  blueprint: Blueprint,
  results: readonly StepResult[],
): readonly Action[] {
  const kept = new Set(
    results.flatMap(({ keeps = [] }) => keeps.map((object) => identityKey(identityOf(object)))),
  );
  const byLabel = new Map(results.map((result) => [labelValue(result.step.name), result]));
  const known = new Set(blueprint.steps.map(({ name }) => labelValue(name)));
  return live.flatMap((object): readonly Action[] => {
    if (kept.has(identityKey(identityOf(object)))) return [];
    const label = object.metadata.labels?.[stepLabel] ?? "";
    if (!known.has(label)) return [deletion(label, object, "step-removed")];
    const result = byLabel.get(label);
    if (result?.keeps === undefined) return [];
    const reason =
      result.submitted.reason === "PassThrough" ? "passed-through" : "no-longer-stamped";
    return [deletion(label, object, reason)];
  });
}

/** Without a blueprint nothing is stamped: all of it goes. */
export function allOrphans(live: readonly KubernetesObject[]): readonly Action[] {
  return live.map((object) =>
    deletion(object.metadata.labels?.[stepLabel] ?? "", object, "no-blueprint"),
  );
}

function deletion(step: string, object: KubernetesObject, reason: DeleteReason): Action {
  return { kind: "delete", step, object, reason };
}
