import {
  equalValues,
  fieldAt,
  type JsonObject,
  type JsonValue,
  setField,
} from "../../json/index.ts";
import { type KubernetesObject, maskTexts, secretValues } from "../../objects/index.ts";
import { objectAt, textAt, textsAt, valueAt } from "../model/read-fields.ts";
import { speaksCartographer } from "../cartographer/speaks-cartographer.ts";
import { missingRunTemplateWords } from "../cartographer/words.ts";
import type { HealthRule } from "../model/health-rule.ts";
import { readRetention } from "../model/template.ts";
import { evaluatePath } from "../requirements/evaluate-path.ts";
import { healthOf } from "../stamping/health-of.ts";
import { interpolate } from "../stamping/interpolate.ts";
import { labelValue, runnableLabel, runTemplateLabel } from "../stamping/stamp-labels.ts";
import { stampObject, type StampResult } from "../stamping/stamp-object.ts";
import { ownerContext } from "../stamping/template-context.ts";
import { dated, type Judgement, previousConditions, summary } from "../status/conditions.ts";
import { stampingWait } from "./depends-on.ts";
import type { Action, ServiceAccount, World } from "./realization.ts";
import { settleRemovals, stayingStatus } from "./removals.ts";
import { beyondRetention, newestFirst, type JudgedRun } from "./runs.ts";
import { serviceAccountOf } from "./service-account.ts";

export interface RunnableInput {
  readonly runnable: KubernetesObject;
  readonly template: KubernetesObject | undefined;
  /** The object that the Runnable's selector found; undefined when it has none. */
  readonly selected: Selected | undefined;
  readonly accountProblem?: { readonly reason: string; readonly message: string } | undefined;
  readonly world: World;
}

export type Selected =
  | { readonly kind: "object"; readonly object: KubernetesObject }
  | { readonly kind: "problem"; readonly message: string };

export interface RunnableRealization {
  readonly actions: readonly Action[];
  readonly status: JsonObject;
  readonly account: ServiceAccount;
}

/** The one step that a Runnable has, as actions name it. */
const step = "run";
/** How well a run is. */
const succeeded: HealthRule = { kind: "singleCondition", type: "Succeeded" };

/** What is to be done for a Runnable: one object for every distinct content, outputs of the newest success. */
export function realizeRunnable(input: RunnableInput): RunnableRealization {
  const { runnable, world } = input;
  const account = serviceAccountOf(runnable, undefined);
  const finish = (outcome: Outcome): RunnableRealization => {
    const { actions, stays } = settleRemovals(outcome.actions ?? []);
    const selected = input.selected?.kind === "object" ? [input.selected.object] : [];
    const message = maskTexts(outcome.ready.message, secretValues([...world.live, ...selected]));
    const told = { ...outcome, ready: { ...outcome.ready, message } };
    const status = { ...runnableStatus(runnable, told, world.now), ...stayingStatus(stays) };
    return { actions, status, account };
  };
  if (input.accountProblem !== undefined) return finish({ ready: no(input.accountProblem) });
  const templateName = textAt(runnable, "spec", "runTemplateRef", "name") ?? "";
  if (input.template === undefined)
    return finish({
      ready: no({
        reason: "RunTemplateNotFound",
        message: speaksCartographer(runnable)
          ? missingRunTemplateWords(templateName)
          : `unable to get runnable [${runnable.metadata.namespace ?? ""}/${runnable.metadata.name ?? ""}]: there is no ClusterRunTemplate ${templateName}`,
      }),
    });
  if (input.selected?.kind === "problem")
    return finish({
      ready: no({
        reason: "TemplateStampFailure",
        message: `unable to resolve selector: ${input.selected.message}`,
      }),
    });
  const stamped = stampRun(input, input.template, account);
  if (stamped.kind === "problem")
    return finish({
      ready: no({
        reason: "TemplateStampFailure",
        message: `unable to stamp object for ${speaksCartographer(runnable) ? `run template [${templateName}]` : `template [ClusterRunTemplate/${templateName}]`}: ${stamped.message}`,
      }),
    });
  const runs = runsOf(runnable, stamped.object.metadata.name, world);
  const current = runs.find(({ isCurrent }) => isCurrent);
  if (current?.object.metadata.deletionTimestamp !== undefined)
    return finish({
      ready: {
        status: "Unknown",
        reason: "Terminating",
        message: `waiting until ${current.object.kind} ${current.object.metadata.name ?? ""} is gone, which is being deleted`,
      },
    });
  if (current === undefined) {
    const refused = world.refusals.get(step);
    if (refused !== undefined)
      return finish({
        ready: no({ reason: "StampedObjectRejectedByAPIServer", message: refused }),
      });
    const wait = stampingWait(stamped.object, world, () => succeeded);
    if (wait !== undefined)
      return finish({
        ready:
          wait.kind === "waiting"
            ? { status: "Unknown", reason: "WaitingForDependencies", message: wait.message }
            : no({ reason: "TemplateStampFailure", message: wait.message }),
      });
    return finish({
      ready: { status: "Unknown", reason: "Submitting", message: "the object is being written" },
      actions: [{ kind: "apply", step, object: stamped.object }],
    });
  }
  const surplus = beyondRetention(
    runs,
    readRetention(objectAt(runnable, "spec", "retentionPolicy")),
  );
  return finish({
    ...readRun(input.template, runs, labelValue(templateName)),
    current,
    actions: surplus.map(({ object }) => ({ kind: "delete", step, object, reason: "retention" })),
  });
}

interface Outcome {
  readonly ready: Pick<Judgement, "status" | "reason" | "message">;
  readonly current?: JudgedRun;
  readonly outputs?: JsonObject;
  readonly actions?: readonly Action[];
}

function no(problem: { readonly reason: string; readonly message: string }): Outcome["ready"] {
  return { status: "False", ...problem };
}

function stampRun(
  { runnable, selected, world }: RunnableInput,
  template: KubernetesObject,
  account: ServiceAccount,
): StampResult {
  const context: JsonObject = {
    runnable: ownerContext(runnable),
    ...(selected?.kind === "object" ? { selected: ownerContextWithStatus(selected.object) } : {}),
  };
  const isCartographer = speaksCartographer(runnable);
  const body = interpolate(valueAt(template, "spec", "template") ?? null, context, {
    isCartographer,
  });
  if (body.kind === "problem") return body;
  return stampObject({
    body: body.value,
    owner: runnable,
    lifecycle: "immutable",
    labels: {
      [runnableLabel]: labelValue(runnable.metadata.name ?? ""),
      [runTemplateLabel]: labelValue(template.metadata.name ?? ""),
    },
    account,
    scopeOf: world.scopeOf,
  });
}

/** What was selected is looked at as it is, status and all; only the marks of the server are left out. */
function ownerContextWithStatus(object: KubernetesObject): JsonObject {
  const status = fieldAt(object, "status") as JsonValue | undefined;
  return { ...ownerContext(object), ...(status === undefined ? {} : { status }) };
}

function runsOf(
  runnable: KubernetesObject,
  name: string | undefined,
  world: World,
): readonly JudgedRun[] {
  return world.live
    .filter(
      ({ metadata }) =>
        metadata.labels?.[runnableLabel] === labelValue(runnable.metadata.name ?? ""),
    )
    .map((object) => ({
      object,
      health: healthOf(succeeded, object, world),
      // The name tells the content.
      isCurrent: object.metadata.name === name,
    }));
}

/** The outputs of the newest success of this template; without any, what was there before stays. */
function readRun(
  template: KubernetesObject,
  runs: readonly JudgedRun[],
  templateLabel: string,
): Outcome {
  const ready = { status: "True", reason: "Ready", message: "" } as const;
  const best = newestFirst(runs).find(
    ({ object, health }) =>
      health.status === "True" && object.metadata.labels?.[runTemplateLabel] === templateLabel,
  );
  if (best === undefined) return { ready };
  const outputs: JsonObject = {};
  for (const [name, path] of textsAt(template, "spec", "outputs")) {
    const found = evaluatePath(path, best.object as unknown as JsonObject);
    if (found.kind !== "value")
      return {
        ready: no({
          reason: "OutputPathNotSatisfied",
          message: `waiting to read value from resource [${best.object.kind}/${best.object.metadata.name ?? ""}] in namespace [${best.object.metadata.namespace ?? ""}]: output ${name}: ${path} ${found.kind === "unreadable" ? found.message : found.kind === "several" ? "leads to several values" : "leads nowhere"}`,
        }),
      };
    setField(outputs, name, found.value);
  }
  return { ready, outputs };
}

function runnableStatus(runnable: KubernetesObject, outcome: Outcome, now: string): JsonObject {
  const before = objectAt(runnable, "status");
  const { ready, current, outputs } = outcome;
  const judgements: Judgement[] = [{ type: "RunTemplateReady", ...ready }];
  if (current !== undefined) {
    const { status, message } = current.health;
    const isKnown = !current.health.message.startsWith("condition with type");
    judgements.push({
      type: "StampedObjectCondition",
      status,
      reason: isKnown ? "SucceededCondition" : "Unknown",
      message: isKnown ? message : "",
    });
  } else if (speaksCartographer(runnable))
    judgements.push({
      type: "StampedObjectCondition",
      status: "Unknown",
      reason: "Unknown",
      message: "",
    });
  judgements.push(summary("Ready", judgements));
  const previousOutputs = objectAt(before, "outputs");
  const told = outputs === undefined || equalValues(outputs, {}) ? previousOutputs : outputs;
  return {
    observedGeneration: runnable.metadata.generation ?? 0,
    conditions: dated(judgements, previousConditions(before), now) as unknown as JsonObject[],
    ...(told === undefined ? {} : { outputs: told }),
  };
}
