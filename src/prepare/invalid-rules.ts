import { diagnosticToJson } from "../diagnostics/index.ts";
import type { Emit } from "../events/index.ts";
import { identityOf, type KubernetesObject, type SourcedObject } from "../objects/index.ts";
import type { InvalidObject, Plan } from "../plan/index.ts";
import { diagnoseRules, readinessRules } from "../readiness/index.ts";
import type { PlanContext } from "./plan-passes.ts";

/** Mistakes in what the input says of readiness; warnings are reported with those of the input. */
export function invalidRules(
  _plan: Plan,
  { desired }: PlanContext,
): Promise<readonly InvalidObject[]> {
  const found = diagnoseRules(desired)
    .filter(({ diagnostic: { severity } }) => severity === "error")
    .map(({ object, diagnostic }) => ({ identities: [identityOf(object)], diagnostic }));
  return Promise.resolve(found);
}

/** Instances of a definition in the cluster whose rules are wrong will fail; that is known by now. */
export function warnOfRules(
  definitions: readonly KubernetesObject[],
  desired: readonly SourcedObject[],
  emit: Emit,
): void {
  const own = new Set(desired.map(({ object }) => object.metadata.name));
  for (const definition of definitions) {
    // Of those in the input it is an error.
    if (own.has(definition.metadata.name)) continue;
    for (const { diagnostic } of readinessRules(definition).problems)
      emit({ type: "warning", ...diagnosticToJson({ ...diagnostic, severity: "warning" }) });
  }
}
