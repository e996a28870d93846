import type { JsonObject } from "../../json/index.ts";
import { objectAt, objectsAt } from "../model/read-fields.ts";
import type { StepResult } from "../realize/step-result.ts";
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
): JsonObject {
  const { step, realized, submitted, output } = result;
  const before = previous.find((each) => each["name"] === step.name);
  const health: Judgement | undefined =
    result.health === undefined
      ? previousJudgement(before, "Healthy")
      : { type: "Healthy", ...result.health };
  const judgements: readonly Judgement[] = [
    { type: "ResourceSubmitted", ...submitted },
    ...(health === undefined ? [] : [health]),
  ];
  const conditions = dated(
    [...judgements, summary("Ready", judgements)],
    previousConditions(before),
    now,
  ) as unknown as JsonObject[];
  const told: JsonObject =
    realized === undefined
      ? kept(before)
      : {
          ...(realized.stampedRef === undefined ? {} : { stampedRef: realized.stampedRef }),
          ...(realized.templateRef === undefined ? {} : { templateRef: realized.templateRef }),
          outputs:
            output === undefined
              ? (objectsAt(before, "outputs") as JsonObject[])
              : (outputStatuses(output, before, now) as unknown as JsonObject[]),
        };
  return {
    name: step.name,
    ...told,
    inputs: [...new Set(step.inputs.map((input) => input.step))].map((name) => ({ name })),
    conditions,
  };
}

function kept(before: JsonObject | undefined): JsonObject {
  const told: JsonObject = {};
  for (const field of ["stampedRef", "templateRef"]) {
    const value = objectAt(before, field);
    if (value !== undefined) told[field] = value;
  }
  return { ...told, outputs: objectsAt(before, "outputs") as JsonObject[] };
}
