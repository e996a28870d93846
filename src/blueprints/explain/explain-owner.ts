import type { JsonObject } from "../../json/index.ts";
import {
  type KubernetesObject,
  maskedValue,
  maskSecrets,
  type ObjectScope,
} from "../../objects/index.ts";
import { type BlueprintChoice, chooseBlueprint } from "../choice/choose-blueprint.ts";
import { chooseOption, type OptionChoice } from "../choice/choose-option.ts";
import { ownerSubject } from "../choice/owner-subject.ts";
import type { Family } from "../groups.ts";
import { type Blueprint, readBlueprint, type Step } from "../model/blueprint.ts";
import { readTemplate, type Template } from "../model/template.ts";
import type { Action, Rendered } from "../realize/realization.ts";
import { serviceAccountOf } from "../realize/service-account.ts";
import { stepOrder } from "../realize/step-order.ts";
import { digestOf } from "../stamping/digest.ts";
import { interpolate } from "../stamping/interpolate.ts";
import { outputValues, type StepOutput } from "../stamping/outputs.ts";
import { mergeParams } from "../stamping/params.ts";
import { digestAnnotation, stampLabels } from "../stamping/stamp-labels.ts";
import { stampObject } from "../stamping/stamp-object.ts";
import { inputContext, templateContext } from "../stamping/template-context.ts";
import {
  blueprintProblem,
  type BlueprintProblem,
  type TemplateLookup,
} from "../status/blueprint-problem.ts";
import {
  inputAt,
  type PaperOutput,
  paperOutput,
  placeholder,
  unknownOutput,
} from "./known-outputs.ts";

/** What would become of an owner, told without a cluster. */
export interface Explanation {
  readonly owner: KubernetesObject;
  readonly family: Family;
  readonly choice: BlueprintChoice;
  readonly problem: BlueprintProblem | undefined;
  readonly steps: readonly StepExplanation[];
  /** What ytt must be run for before everything can be told. */
  readonly renders: readonly Extract<Action, { kind: "render" }>[];
}

export interface StepExplanation {
  readonly step: Step;
  readonly choice: OptionChoice;
  readonly result: StepPaper;
  /** What it emits by name; without a value where only the cluster knows. */
  readonly outputs: readonly {
    readonly name: string;
    readonly value: unknown;
    readonly isKnown: boolean;
  }[];
}

export type StepPaper =
  | { readonly kind: "stamped"; readonly template: string; readonly object: KubernetesObject }
  | { readonly kind: "passThrough"; readonly input: string; readonly from: string }
  | { readonly kind: "undecided"; readonly waitsFor: readonly string[] }
  | { readonly kind: "rendering"; readonly template: string }
  | { readonly kind: "problem"; readonly message: string };

export interface ExplainInput {
  readonly owner: KubernetesObject;
  readonly family: Family;
  readonly blueprints: readonly KubernetesObject[];
  readonly templateOf: TemplateLookup;
  readonly scopeOf: (apiVersion: string, kind: string) => ObjectScope | undefined;
  readonly rendered: ReadonlyMap<string, Rendered>;
  /** What a step has stamped in a cluster: what it emits is then known, and what follows from it. */
  readonly stampedBy?: ((step: string) => KubernetesObject | undefined) | undefined;
}

/** Which blueprint, which option at each step and why, and what would be stamped. */
export function explainOwner(input: ExplainInput): Explanation {
  const { owner, family } = input;
  const blueprints = input.blueprints.flatMap((object) => readBlueprint(object) ?? []);
  const choice = chooseBlueprint(owner, blueprints);
  const empty = { owner, family, choice, problem: undefined, steps: [], renders: [] };
  if (choice.kind !== "chosen") return empty;
  const { blueprint } = choice;
  const problem = blueprintProblem(blueprint, input.templateOf);
  const order = stepOrder(blueprint);
  if (order === undefined) return { ...empty, problem };
  const emitted = new Map<string, PaperOutput>();
  const renders: Extract<Action, { kind: "render" }>[] = [];
  const steps = order.map((step) => {
    const { output, ...told } = explainStep(input, blueprint, step, emitted, renders);
    emitted.set(step.name, output);
    return {
      ...told,
      outputs: outputValues(output.output).map(([name, value]) => ({
        name,
        value: output.output.secretVersion === undefined ? value : maskedValue,
        isKnown: !output.unknown.has(name),
      })),
    };
  });
  return { ...empty, problem, steps, renders };
}

type Explained = Omit<StepExplanation, "outputs"> & { readonly output: PaperOutput };

function explainStep(
  input: ExplainInput,
  blueprint: Blueprint,
  step: Step,
  emitted: ReadonlyMap<string, PaperOutput>,
  renders: Extract<Action, { kind: "render" }>[],
): Explained {
  const { owner, family } = input;
  const outputs = new Map<string, StepOutput>(
    [...emitted].map(([name, { output }]) => [name, output]),
  );
  const isUnknown = (path: string): boolean => {
    const found = inputAt(step, path);
    return found !== undefined && emitted.get(found.input.step)?.unknown.has(found.value) === true;
  };
  const params = mergeParams(undefined, blueprint, step, owner);
  const choice = chooseOption(
    step,
    blueprint.optionMatching,
    ownerSubject(owner, family, { ...inputContext(step, outputs), params }, isUnknown),
  );
  const nothing = emptyOutput(step);
  switch (choice.kind) {
    case "unjudged":
      return {
        step,
        choice,
        result: { kind: "problem", message: choice.problem },
        output: nothing,
      };
    case "mismatch":
      return {
        step,
        choice,
        result: {
          kind: "problem",
          message:
            choice.matched.length === 0
              ? "no option matches"
              : `${choice.matched.length} options match, where one must`,
        },
        output: nothing,
      };
    case "undecided": {
      const waitsFor = [...new Set(step.inputs.map((each) => each.step))];
      return { step, choice, result: { kind: "undecided", waitsFor }, output: nothing };
    }
    case "passThrough": {
      const from = step.inputs.find(({ name }) => name === choice.input)?.step ?? "";
      return {
        step,
        choice,
        result: { kind: "passThrough", input: choice.input, from },
        output: emitted.get(from) ?? nothing,
      };
    }
    case "template": {
      const found = input.templateOf(step.templateKind, choice.name);
      if (found === undefined)
        return {
          step,
          choice,
          result: { kind: "problem", message: `there is no ${step.templateKind} ${choice.name}` },
          output: nothing,
        };
      const template = readTemplate(found);
      const result = stampOnPaper(input, blueprint, step, template, outputs, isUnknown, renders);
      const deployment = step.inputs.find(({ kind }) => kind === "deployment");
      return {
        step,
        choice,
        result,
        output: paperOutput(
          step,
          template.output,
          input.stampedBy?.(step.name) ?? (result.kind === "stamped" ? result.object : undefined),
          deployment === undefined ? undefined : emitted.get(deployment.step),
        ),
      };
    }
  }
}

function stampOnPaper(
  { owner, family, scopeOf, rendered }: ExplainInput,
  blueprint: Blueprint,
  step: Step,
  template: Template,
  outputs: ReadonlyMap<string, StepOutput>,
  isUnknown: (path: string) => boolean,
  renders: Extract<Action, { kind: "render" }>[],
): StepPaper {
  const params = mergeParams(template, blueprint, step, owner);
  const labels = stampLabels(owner, family, blueprint, step, template);
  const context = templateContext(owner, family, step, { params, labels }, outputs);
  const body =
    template.body.kind === "ytt"
      ? rendered.get(digestOf({ text: template.body.text, context }))
      : interpolate(template.body.template, context, {
          placeholder: (path) => {
            const found = isUnknown(path) ? inputAt(step, path) : undefined;
            return found === undefined ? undefined : placeholder(found.input.step, found.value);
          },
        });
  if (body === undefined) {
    if (template.body.kind === "ytt") renders.push(renderAction(step, template.body.text, context));
    return { kind: "rendering", template: template.name };
  }
  const stamped =
    body.kind === "problem"
      ? body
      : stampObject({
          body: body.value,
          owner,
          lifecycle: template.lifecycle,
          labels: stampLabels(owner, family, blueprint, step, template),
          account: serviceAccountOf(owner, blueprint),
          scopeOf,
        });
  return stamped.kind === "problem"
    ? { kind: "problem", message: stamped.message }
    : {
        kind: "stamped",
        template: template.name,
        object: onPaper(stamped.object, owner, template),
      };
}

function renderAction(
  step: Step,
  text: string,
  context: JsonObject,
): Extract<Action, { kind: "render" }> {
  return { kind: "render", step: step.name, key: digestOf({ text, context }), text, context };
}

/** Without what only a cluster gives: the uid of the owner, and what follows from it. */
function onPaper(
  object: KubernetesObject,
  owner: KubernetesObject,
  { lifecycle }: Template,
): KubernetesObject {
  const { annotations = {}, name, ownerReferences = [], ...metadata } = object.metadata;
  const { [digestAnnotation]: _digest, ...kept } = annotations;
  const uid = owner.metadata.uid ?? `<uid of ${owner.kind} ${owner.metadata.name ?? ""}>`;
  return {
    ...maskSecrets(object),
    metadata: {
      ...(lifecycle === "mutable"
        ? { name: name ?? "" }
        : { generateName: (name ?? "").slice(0, -10) }),
      ...metadata,
      annotations: kept,
      ownerReferences: ownerReferences.map((reference) => ({ ...reference, uid })),
    },
  };
}

function emptyOutput(step: Step): PaperOutput {
  switch (step.templateKind) {
    case "ClusterImageTemplate":
      return unknownOutput(step, "image");
    case "ClusterConfigTemplate":
      return unknownOutput(step, "config");
    case "ClusterTemplate":
      return { output: { kind: "none" }, unknown: new Set() };
    case "ClusterSourceTemplate":
    case "ClusterDeploymentTemplate":
      return unknownOutput(step, "source");
  }
}
