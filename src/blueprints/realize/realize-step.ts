import type { JsonObject } from "../../json/index.ts";
import {
  formatIdentity,
  identityKey,
  identityOf,
  type KubernetesObject,
} from "../../objects/index.ts";
import { chooseOption, mismatchText } from "../choice/choose-option.ts";
import { ownerSubject } from "../choice/owner-subject.ts";
import { speaksCartographer } from "../cartographer/speaks-cartographer.ts";
import { optionsWords, yttWords } from "../cartographer/words.ts";
import { type Blueprint, type Input, optionName, type Step } from "../model/blueprint.ts";
import { readTemplate, type Template } from "../model/template.ts";
import { pathProblem } from "../requirements/evaluate-path.ts";
import { emittedKey } from "../requirements/judge.ts";
import { digestOf } from "../stamping/digest.ts";
import { interpolate } from "../stamping/interpolate.ts";
import { mergeParams } from "../stamping/params.ts";
import { stampLabels, templateKindLabel, templateNameLabel } from "../stamping/stamp-labels.ts";
import { stampObject } from "../stamping/stamp-object.ts";
import {
  type Emitted,
  inputContext,
  missingInputs,
  templateContext,
} from "../stamping/template-context.ts";
import type { Rendered, World } from "./realization.ts";
import { serviceAccountOf } from "./service-account.ts";
import { settleImmutable } from "./settle-immutable.ts";
import { settleMutable } from "./settle-mutable.ts";
import { type StepResult, unfinished } from "./step-result.ts";

export interface StepInput {
  readonly owner: KubernetesObject;
  readonly blueprint: Blueprint;
  readonly step: Step;
  readonly emitted: Emitted;
  readonly templateOf: (kind: string, name: string) => KubernetesObject | undefined;
  /** The steps that emit nothing for now, and are not under way either. */
  readonly silent: ReadonlySet<string>;
  /** What other steps stamp, by identity: no two may stamp the same object. */
  readonly claims: Map<string, string>;
  readonly world: World;
}

/** Takes one step as far as it goes with what earlier ones have emitted. */
export function realizeStep(input: StepInput): StepResult {
  const { owner, blueprint, step, emitted } = input;
  const choice = chooseOption(step, blueprint.optionMatching, optionSubject(input));
  const isCartographer = speaksCartographer(owner);
  // Cartographer calls a delivery so, too, where it speaks of steps.
  const called = isCartographer ? "supply chain" : blueprint.family.blueprintName;
  const where = `${called} [${blueprint.name}]`;
  switch (choice.kind) {
    case "unjudged":
      return failed(
        step,
        "ResolveTemplateOptionsError",
        `error matching against template option [${optionName(choice.option)}] for resource [${step.name}] in ${where}: ${choice.problem}`,
      );
    case "mismatch":
      return failed(
        step,
        "TemplateOptionsMatchError",
        isCartographer
          ? optionsWords(step.name, where, choice.matched.map(optionName))
          : mismatchText(step.name, where, choice.matched, choice.candidates),
      );
    case "undecided":
      return waiting(step, missingInputs(step, emitted));
    case "passThrough":
      return passThrough(input, choice.input);
    case "template":
      return realizeTemplate(input, choice.name, where, owner);
  }
}

/** What an option may look at: the owner, and what the step's inputs and parameters are. */
function optionSubject({ owner, blueprint, step, emitted }: StepInput) {
  const params = mergeParams(undefined, blueprint, step, owner);
  const missing = missingInputs(step, emitted);
  return ownerSubject(
    owner,
    blueprint.family,
    { ...inputContext(step, emitted), params },
    (key) => {
      const looksAt = emittedKey(key);
      return missing.some(
        ({ kind, name }) => `${kind}s` === looksAt?.root && name === looksAt.name,
      );
    },
  );
}

function realizeTemplate(
  input: StepInput,
  name: string,
  where: string,
  owner: KubernetesObject,
): StepResult {
  const { blueprint, step, emitted, world } = input;
  const found = input.templateOf(step.templateKind, name);
  const problem =
    found === undefined
      ? `there is no ${step.templateKind} ${name}`
      : templateProblem(readTemplate(found));
  if (found === undefined || problem !== undefined)
    return failed(
      step,
      "TemplateObjectRetrievalFailure",
      `unable to get template [${name}] for resource [${step.name}] in ${where}: ${problem ?? ""}`,
    );
  const template = readTemplate(found);
  const isCartographer = speaksCartographer(owner);
  // Cartographer stamps without what is not there; what is under way is waited for in any case.
  const missing = missingInputs(step, emitted).filter(
    (each) => !isCartographer || !input.silent.has(each.step),
  );
  if (missing.length > 0) return waiting(step, missing);
  const params = mergeParams(template, blueprint, step, owner);
  const labels = stampLabels(owner, blueprint.family, blueprint, step, template);
  const context = templateContext(owner, blueprint.family, step, { params, labels }, emitted);
  const body = bodyOf(template, context, step, world);
  if (body.kind === "render") return unfinished(step, rendering, [body.action]);
  const stamped =
    body.kind === "problem"
      ? body
      : stampObject({
          body: body.value,
          owner,
          lifecycle: template.lifecycle,
          labels,
          account: serviceAccountOf(owner, blueprint),
          waitsFor: [...new Set(step.inputs.map((each) => each.step))],
          scopeOf: world.scopeOf,
        });
  if (stamped.kind === "problem")
    return {
      ...failed(
        step,
        "TemplateStampFailure",
        `unable to stamp object for resource [${step.name}] for template [${template.kind}/${template.name}] in ${where}: ${stamped.message}`,
      ),
      template,
    };
  const identity = identityOf(stamped.object);
  const claimedBy = input.claims.get(identityKey(identity));
  if (claimedBy !== undefined)
    return failed(
      step,
      "TemplateStampFailure",
      `unable to stamp object for resource [${step.name}] in ${where}: ${formatIdentity(identity)} is what resource [${claimedBy}] stamps`,
    );
  input.claims.set(identityKey(identity), step.name);
  const settle = template.lifecycle === "mutable" ? settleMutable : settleImmutable;
  const deployment = step.inputs.find(({ kind }) => kind === "deployment");
  const settled = settle({
    step,
    template,
    stamped,
    where,
    world,
    ruleOf: ({ metadata }) => {
      const kind = metadata.labels?.[templateKindLabel] ?? "";
      const other = input.templateOf(kind, metadata.labels?.[templateNameLabel] ?? "");
      return other === undefined ? undefined : readTemplate(other).healthRule;
    },
    deployment: deployment === undefined ? undefined : emitted.get(deployment.step),
  });
  return { ...settled, template };
}

const rendering = {
  status: "Unknown",
  reason: "Rendering",
  message: "ytt has not run yet",
} as const;

/** What a template gives: by itself, or from ytt, which only the edge can run. */
export function bodyOf(template: Template, context: JsonObject, step: Step, world: World) {
  if (template.body.kind === "template")
    return interpolate(template.body.template, context, {
      isCartographer: speaksCartographer(template),
    });
  const { text } = template.body;
  const key = digestOf({ text, context });
  const rendered: Rendered | undefined = world.rendered.get(key);
  if (rendered === undefined) {
    const action = { kind: "render", step: step.name, key, text, context } as const;
    return { kind: "render", action } as const;
  }
  return rendered.kind === "problem" &&
    rendered.printed !== undefined &&
    speaksCartographer(template)
    ? { ...rendered, message: yttWords(rendered.printed) }
    : rendered;
}

/** Why a template cannot be used whatever it is used for. */
export function templateProblem({ output }: Template): string | undefined {
  const paths =
    output.kind === "source"
      ? [output.urlPath, output.revisionPath]
      : output.kind === "image" || output.kind === "config"
        ? [output.path]
        : [];
  return paths.map(pathProblem).find((problem) => problem !== undefined);
}

function passThrough({ owner, step, emitted }: StepInput, name: string): StepResult {
  const input = step.inputs.find((each) => each.name === name && emits(step, each));
  if (input === undefined)
    return failed(
      step,
      "TemplateOptionsMatchError",
      `passThrough [${name}] names no input of resource [${step.name}] of the kind that it emits`,
    );
  const output = emitted.get(input.step);
  if (output === undefined) return waiting(step, [input]);
  return {
    step,
    actions: [],
    submitted: { status: "True", reason: "PassThrough", message: "" },
    output,
    realized: { templateRef: undefined, stampedRef: undefined },
    // Nothing is stamped: for Cartographer there is nothing that could be healthy.
    health: speaksCartographer(owner)
      ? undefined
      : { status: "True", reason: "OutputsAvailable", message: "" },
    keeps: [],
  };
}

const emittedKinds: Readonly<Record<string, Input["kind"]>> = {
  ClusterSourceTemplate: "source",
  ClusterImageTemplate: "image",
  ClusterConfigTemplate: "config",
};

function emits(step: Step, input: Input): boolean {
  return emittedKinds[step.templateKind] === input.kind;
}

function waiting(step: Step, inputs: readonly Input[]): StepResult {
  const steps = [...new Set(inputs.map((input) => input.step))];
  return unfinished(step, {
    status: "Unknown",
    reason: "WaitingForInputs",
    message: `waiting for ${steps.join(", ")}`,
  });
}

function failed(step: Step, reason: string, message: string): StepResult {
  return unfinished(step, { status: "False", reason, message });
}
