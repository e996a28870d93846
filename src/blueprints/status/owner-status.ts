import type { JsonObject } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { speaksCartographer } from "../cartographer/speaks-cartographer.ts";
import type { Family } from "../groups.ts";
import type { Blueprint } from "../model/blueprint.ts";
import { objectAt, objectsAt } from "../model/read-fields.ts";
import { type StayingObject, stayingStatus, stayingText } from "../realize/removals.ts";
import type { StepResult, Submitted } from "../realize/step-result.ts";
import {
  dated,
  type Judgement,
  previousConditions,
  previousJudgement,
  summary,
} from "./conditions.ts";
import { stepStatus } from "./step-status.ts";

export interface OwnerStatusInput {
  readonly owner: KubernetesObject;
  readonly family: Family;
  /** Whether a blueprint serves it. */
  readonly ready: Submitted;
  /** Why no step was tried, when that is so. */
  readonly submitted?: Submitted | undefined;
  readonly blueprint: Blueprint | undefined;
  /** What became of the steps; undefined when none was tried, and what was told stays. */
  readonly results?: readonly StepResult[] | undefined;
  /** What is no longer stamped and stays; undefined when that was not looked into. */
  readonly stays?: readonly StayingObject[] | undefined;
  readonly now: string;
}

/** The status of a Workload or Deliverable. */
export function ownerStatus(input: OwnerStatusInput): JsonObject {
  const { owner, family, ready, blueprint, results, now } = input;
  const isCartographer = speaksCartographer(owner);
  const before = objectAt(owner, "status");
  const previousSteps = objectsAt(before, "resources");
  const resources =
    results?.map((result) => stepStatus(result, previousSteps, now, isCartographer)) ??
    previousSteps;
  const judgements: Judgement[] = [{ type: family.readyCondition, ...ready }];
  if (results === undefined ? input.submitted !== undefined : ready.status === "True") {
    judgements.push(submittedOf(input));
    // Where no step was tried Cartographer says nothing of their health.
    if (results !== undefined || !isCartographer)
      judgements.push(healthOfAll(resources, isCartographer));
  }
  judgements.push(summary("Ready", judgements, isCartographer));
  return {
    observedGeneration: owner.metadata.generation ?? 0,
    conditions: dated(judgements, previousConditions(before), now) as unknown as JsonObject[],
    ...(blueprint === undefined
      ? {}
      : {
          [family.refField]: {
            apiVersion: blueprint.object.apiVersion,
            kind: family.blueprintKind,
            name: blueprint.name,
          },
        }),
    resources: resources as JsonObject[],
    ...(input.stays === undefined ? stayingBefore(before) : stayingStatus(input.stays)),
  };
}

function stayingBefore(before: unknown): JsonObject {
  const stayingObjects = objectsAt(before, "stayingObjects");
  return stayingObjects.length === 0 ? {} : { stayingObjects: stayingObjects as JsonObject[] };
}

function submittedOf({ owner, results = [], submitted, stays = [] }: OwnerStatusInput): Judgement {
  const type = "ResourcesSubmitted";
  if (submitted !== undefined) return { type, ...submitted };
  const each = results.map((result): Judgement => ({ type, ...result.submitted }));
  // Cartographer tells the first thing that went wrong, however bad.
  const first = each.find(({ status }) => status !== "True");
  const all = speaksCartographer(owner) && first !== undefined ? first : summary(type, each);
  return all.status === "True"
    ? { ...all, reason: "ResourceSubmissionComplete", message: stayingText(stays) }
    : all;
}

function healthOfAll(resources: readonly JsonObject[], isCartographer: boolean): Judgement {
  const healths = resources.flatMap((resource) => previousJudgement(resource, "Healthy") ?? []);
  return {
    ...summary("ResourcesHealthy", healths, isCartographer),
    reason: "HealthyConditionRule",
  };
}
