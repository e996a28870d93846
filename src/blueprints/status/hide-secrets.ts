import { type KubernetesObject, maskTexts, secretValues } from "../../objects/index.ts";
import { stringifyJson } from "../../json/index.ts";
import type { StepResult } from "../realize/step-result.ts";
import { outputValues } from "../stamping/outputs.ts";

/** Shorter values stand in many texts by chance. */
const shortestHidden = 4;

/**
 * What became of steps, as everybody may read it: without the values of Secrets that were stamped, which
 * server, templates and ytt quote when they refuse something, and which later steps may hand on.
 */
export function hideSecrets(
  results: readonly StepResult[],
  live: readonly KubernetesObject[],
): readonly StepResult[] {
  const values = secretValues(live);
  if (values.length === 0) return results;
  const hide = <Told extends { readonly message: string }>(told: Told): Told => ({
    ...told,
    message: maskTexts(told.message, values),
  });
  const hidden = values.filter(({ length }) => length >= shortestHidden);
  return results.map((result) => ({
    ...result,
    submitted: hide(result.submitted),
    health: result.health === undefined ? undefined : hide(result.health),
    output: hiddenOutput(result.output, hidden),
  }));
}

/** An output that holds a value of a Secret is shown as one that was read from a Secret. */
function hiddenOutput(
  output: StepResult["output"],
  values: readonly string[],
): StepResult["output"] {
  if (output === undefined || output.secretVersion !== undefined) return output;
  const text = outputValues(output)
    .map(([, value]) => (typeof value === "string" ? value : stringifyJson(value)))
    .join("\n");
  return values.some((value) => text.includes(value))
    ? { ...output, secretVersion: "handed on" }
    : output;
}
