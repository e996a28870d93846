import { groupOf, type KubernetesObject } from "../../objects/index.ts";
import { healthOf } from "../stamping/health-of.ts";
import {
  labelValue,
  stepLabel,
  templateKindLabel,
  templateLifecycleLabel,
  templateNameLabel,
} from "../stamping/stamp-labels.ts";
import { beyondRetention, newestFirst, type JudgedRun } from "./runs.ts";
import {
  awaiting,
  emittedBy,
  healthBy,
  refusal,
  type SettleInput,
  submittedBy,
  submitting,
  terminating,
} from "./settle-mutable.ts";
import { realizedRefs, type StepResult, unfinished } from "./step-result.ts";

/** One object for every distinct content; the newest healthy one speaks for the step. */
export function settleImmutable(input: SettleInput): StepResult {
  const { step, template, stamped, where, world } = input;
  const runs = runsOf(input);
  const current = runs.find(({ isCurrent }) => isCurrent);
  if (current?.object.metadata.deletionTimestamp !== undefined)
    return terminating(step, current.object, world);
  if (current === undefined)
    return (
      refusal(input) ??
      awaiting(input) ??
      unfinished(step, submitting, [{ kind: "apply", step: step.name, object: stamped.object }])
    );
  const surplus = beyondRetention(runs, template.retention);
  const actions = surplus.map(
    ({ object }) => ({ kind: "delete", step: step.name, object, reason: "retention" }) as const,
  );
  const kept = runs.filter((run) => !surplus.includes(run));
  const best = newestFirst(kept).find(({ health }) => health.status === "True");
  const result = {
    step,
    actions,
    realized: realizedRefs(
      template,
      current.object,
      world.resourceOf(current.object.apiVersion, current.object.kind),
    ),
    keeps: runs.map(({ object }) => object),
  };
  if (best === undefined) {
    const isOver = kept.every(({ health }) => health.status === "False");
    return {
      ...result,
      submitted: {
        status: isOver ? "False" : "Unknown",
        reason: "SetOfImmutableStampedObjectsIncludesNoHealthyObject",
        message: `unable to retrieve outputs for resource [${step.name}] in ${where}: failed to find any healthy object in the set of immutable stamped objects`,
      },
      output: undefined,
      health: current.health,
    };
  }
  const reading = emittedBy(best.object, input);
  return {
    ...result,
    submitted: submittedBy(reading, input, best.object),
    output: reading.kind === "output" ? reading.output : undefined,
    health:
      current.isCurrent && current === best
        ? healthBy(reading, input, best.object)
        : current.health,
  };
}

/**
 * The runs of this step and this template: what another one stamped is not of this history, nor is the
 * one object from when the template was mutable.
 */
function runsOf({ step, template, stamped, world }: SettleInput): readonly JudgedRun[] {
  const isOfThis = ({ kind, apiVersion, metadata }: KubernetesObject): boolean =>
    kind === stamped.object.kind &&
    groupOf(apiVersion) === groupOf(stamped.object.apiVersion) &&
    metadata.labels?.[stepLabel] === labelValue(step.name) &&
    metadata.labels[templateKindLabel] === template.kind &&
    metadata.labels[templateNameLabel] === labelValue(template.name) &&
    metadata.labels[templateLifecycleLabel] !== "mutable";
  return world.live.filter(isOfThis).map((object) => ({
    object,
    health: healthOf(template.healthRule, object, world),
    // The name tells the content.
    isCurrent: object.metadata.name === stamped.object.metadata.name,
  }));
}
