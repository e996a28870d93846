import type { JsonObject } from "../../json/index.ts";
import type { Template } from "../model/template.ts";
import { objectAt, objectsAt } from "../model/read-fields.ts";
import type { StepResult, Submitted } from "../realize/step-result.ts";
import {
  dated,
  type Judgement,
  previousConditions,
  previousJudgement,
  summary,
} from "./conditions.ts";
import { outputStatuses } from "./output-statuses.ts";

/** What the owner shows of one step. What a step had stays told while nothing new is known. */
export function stepStatus(
  result: StepResult,
  previous: readonly JsonObject[],
  now: string,
  isCartographer: boolean,
): JsonObject {
  const { step, realized, submitted, output, template } = result;
  const before = previous.find((each) => each["name"] === step.name);
  const health: Judgement | undefined =
    result.health === undefined
      ? (previousJudgement(before, "Healthy") ??
        (isCartographer && template !== undefined ? unstampedHealth(template) : undefined))
      : { type: "Healthy", ...result.health };
  const judgements: readonly Judgement[] = [
    { type: isCartographer ? submittedType(submitted) : "ResourceSubmitted", ...submitted },
    ...(health === undefined ? [] : [health]),
  ];
  const conditions = dated(
    [...judgements, summary("Ready", judgements, isCartographer)],
    previousConditions(before),
    now,
  ) as unknown as JsonObject[];
  const told: JsonObject =
    realized === undefined
      ? { ...(isCartographer ? templateRefOf(template) : {}), ...kept(before) }
      : {
          ...(realized.stampedRef === undefined ? {} : { stampedRef: realized.stampedRef }),
          ...(realized.templateRef === undefined ? {} : { templateRef: realized.templateRef }),
          outputs:
            output === undefined
              ? (objectsAt(before, "outputs") as JsonObject[])
              : (outputStatuses(output, before, now, isCartographer) as unknown as JsonObject[]),
        };
  return {
    name: step.name,
    ...told,
    inputs: [...new Set(step.inputs.map((input) => input.step))].map((name) => ({ name })),
    conditions,
  };
}

/** Cartographer names the condition of a step as that of its owner where a deployment is not done. */
function submittedType({ reason }: Submitted): string {
  return reason === "ConditionNotMet" || reason === "FailedConditionMet"
    ? "ResourcesSubmitted"
    : "ResourceSubmitted";
}

/** How healthy a step is for Cartographer that has never stamped anything. */
function unstampedHealth({ kind, healthRule }: Template): Judgement {
  const reason =
    healthRule === undefined
      ? kind === "ClusterTemplate"
        ? "NoStampedObject"
        : "OutputNotAvailable"
      : healthRule.kind === "always"
        ? "NoStampedObject"
        : "Unknown";
  return { type: "Healthy", status: "Unknown", reason, message: "" };
}

function templateRefOf(template: Template | undefined): JsonObject {
  if (template === undefined) return {};
  const { apiVersion, kind, name } = template;
  return { templateRef: { kind, name, apiVersion } };
}

function kept(before: JsonObject | undefined): JsonObject {
  const told: JsonObject = {};
  for (const field of ["stampedRef", "templateRef"]) {
    const value = objectAt(before, field);
    if (value !== undefined) told[field] = value;
  }
  return { ...told, outputs: objectsAt(before, "outputs") as JsonObject[] };
}
