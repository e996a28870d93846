import { identityKey, identityOf, isSecret, type KubernetesObject } from "../../objects/index.ts";
import { hasReadinessRule } from "../../readiness/index.ts";
import { speaksCartographer } from "../cartographer/speaks-cartographer.ts";
import type { Step } from "../model/blueprint.ts";
import type { HealthRule } from "../model/health-rule.ts";
import type { Template } from "../model/template.ts";
import { type Health, healthOf } from "../stamping/health-of.ts";
import { isSettled } from "../stamping/is-settled.ts";
import type { StepOutput } from "../stamping/outputs.ts";
import { type OutputReading, readOutput } from "../stamping/read-output.ts";
import type { Stamped } from "../stamping/stamp-object.ts";
import { stampingWait } from "./depends-on.ts";
import type { World } from "./realization.ts";
import { realizedRefs, type StepResult, type Submitted, unfinished } from "./step-result.ts";

export interface SettleInput {
  readonly step: Step;
  readonly template: Template;
  readonly stamped: Stamped;
  /** The blueprint as messages name it. */
  readonly where: string;
  readonly world: World;
  /** What the template of another stamped object says of its health. */
  readonly ruleOf: (stamped: KubernetesObject) => HealthRule | undefined;
  /** What a deployment passes on when it is done. */
  readonly deployment: StepOutput | undefined;
}

/** One object, kept as the template says. */
export function settleMutable(input: SettleInput): StepResult {
  const { step, template, stamped, world } = input;
  const refused = refusal(input);
  if (refused !== undefined) return refused;
  const key = identityKey(identityOf(stamped.object));
  const live = world.live.find((each) => identityKey(identityOf(each)) === key);
  if (live?.metadata.deletionTimestamp !== undefined) return terminating(step, live, world);
  if (live === undefined || !isSettled(stamped, live, world.accepted))
    return (
      awaiting(input) ??
      unfinished(step, submitting, [{ kind: "apply", step: step.name, object: stamped.object }])
    );
  const reading = emittedBy(live, input);
  return {
    step,
    actions: [],
    submitted: submittedBy(reading, input, live),
    output: reading.kind === "output" ? reading.output : undefined,
    realized: realizedRefs(template, live, world.resourceOf(live.apiVersion, live.kind)),
    health: healthBy(reading, input, live),
    keeps: [live],
  };
}

/** What an object emits: the values of a Secret only where the owner's account may get them. */
export function emittedBy(
  object: KubernetesObject,
  { template, deployment, world }: SettleInput,
): OutputReading {
  const reading = readOutput(template.output, object, deployment);
  if (!isSecret(object) || reading.kind !== "output") return reading;
  if (reading.output.kind === "none" || reading.output === deployment) return reading;
  const { apiVersion, kind, metadata } = object;
  const unreadable = world.unreadable?.({ apiVersion, kind, name: metadata.name ?? "" });
  if (unreadable === undefined) return reading;
  const { message } = unreadable;
  return { kind: unreadable.kind === "refused" ? "problem" : "notMet", message };
}

/** What is on its way out cannot be kept; it is stamped again when it is gone. */
export function terminating(step: Step, live: KubernetesObject, world: World): StepResult {
  return unfinished(step, {
    status: "Unknown",
    reason: "Terminating",
    message: `waiting until ${nameOf(live, world)} is gone, which is being deleted`,
  });
}

/** Until the object is written nothing is read from it: what it says may be of its former self. */
export const submitting: Submitted = {
  status: "Unknown",
  reason: "Submitting",
  message: "the object is being written",
};

/** The server has refused the object in this run: to write it again would not help. */
export function refusal({ step, stamped, where, world }: SettleInput): StepResult | undefined {
  const message = world.refusals.get(step.name);
  if (message === undefined) return undefined;
  const { namespace = "", name = "" } = stamped.object.metadata;
  return unfinished(step, {
    status: "False",
    reason: "TemplateRejectedByAPIServer",
    message: `unable to apply object [${namespace}/${name}] for resource [${step.name}] in ${where}: ${message}`,
  });
}

/** What must be ready before the object is written. */
export function awaiting(input: SettleInput): StepResult | undefined {
  const { step, stamped, where, world, ruleOf } = input;
  const wait = stampingWait(stamped.object, world, ruleOf);
  if (wait === undefined) return undefined;
  return unfinished(
    step,
    wait.kind === "waiting"
      ? { status: "Unknown", reason: "WaitingForDependencies", message: wait.message }
      : {
          status: "False",
          reason: "TemplateStampFailure",
          message: `unable to stamp object for resource [${step.name}] in ${where}: ${wait.message}`,
        },
  );
}

/** What a step that has its object says of it. */
export function submittedBy(
  reading: OutputReading,
  { step, where, world }: SettleInput,
  live: KubernetesObject,
): Submitted {
  switch (reading.kind) {
    case "output":
      return { status: "True", reason: "ResourceSubmissionComplete", message: "" };
    case "missing":
      return {
        status: "Unknown",
        reason: "MissingValueAtPath",
        message: `waiting to read value [${reading.path}] from resource [${nameOf(live, world)}] in namespace [${live.metadata.namespace ?? ""}]`,
      };
    case "notMet":
      return {
        status: "Unknown",
        reason: "ConditionNotMet",
        message: `resource [${step.name}] condition not met: ${reading.message}`,
      };
    case "failed":
      return {
        status: "False",
        reason: "FailedConditionMet",
        message: `resource [${step.name}] failed condition met: ${reading.message}`,
      };
    case "problem":
      return {
        status: "False",
        reason: "TemplateStampFailure",
        message: `unable to retrieve outputs for resource [${step.name}] in ${where}: ${reading.message}`,
      };
  }
}

/** Without a rule of its template an object is also healthy only with what it is to emit. */
export function healthBy(
  reading: OutputReading,
  { template, world }: SettleInput,
  live: KubernetesObject,
): Health {
  const isCartographer = speaksCartographer(template);
  // Rules in definitions are Keelson's own: whoever writes one wants it to count.
  if (isCartographer && template.healthRule === undefined && !hasReadinessRule(live, world))
    return plainHealth(template, reading.kind === "output");
  const health = healthOf(template.healthRule, live, world, isCartographer);
  if (template.healthRule !== undefined || health.status !== "True") return health;
  if (reading.kind !== "output")
    return { status: "Unknown", reason: "OutputNotAvailable", message: "" };
  return reading.output.kind === "none"
    ? health
    : { status: "True", reason: "OutputsAvailable", message: "" };
}

/** Without a rule an object is as healthy as its outputs are there, for Cartographer. */
function plainHealth({ output }: Template, isEmitting: boolean): Health {
  if (!isEmitting) return { status: "Unknown", reason: "OutputNotAvailable", message: "" };
  const reason = output.kind === "none" ? "AlwaysHealthy" : "OutputsAvailable";
  return { status: "True", reason, message: "" };
}

function nameOf(object: KubernetesObject, world: World): string {
  const resource = world.resourceOf(object.apiVersion, object.kind) ?? object.kind;
  return `${resource}/${object.metadata.name ?? ""}`;
}
