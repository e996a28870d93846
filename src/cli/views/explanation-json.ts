import { type Explanation, optionName } from "../../blueprints/index.ts";
import { stringifyJson } from "../../json/index.ts";

/** An explanation for programs: a line for the choice, then one for each step. */
export function explanationJson(explanation: Explanation): string {
  const lines = [choiceJson(explanation), ...explanation.steps.map(stepJson)];
  return lines.map((line) => `${stringifyJson(line)}\n`).join("");
}

function choiceJson({ owner, family, choice, problem }: Explanation): object {
  const { apiVersion, kind, metadata } = owner;
  return {
    type: "choice",
    owner: { apiVersion, kind, namespace: metadata.namespace, name: metadata.name },
    blueprintKind: family.blueprintKind,
    outcome: choice.kind,
    ...(choice.kind === "chosen" ? { blueprint: choice.blueprint.name } : {}),
    candidates: choice.candidates.map(({ blueprint, match }) => ({
      name: blueprint.name,
      matches: match.outcome === "yes",
      requirements: match.verdicts,
    })),
    ...(problem === undefined ? {} : { problem }),
  };
}

function stepJson({ step, choice, result, outputs }: Explanation["steps"][number]): object {
  return {
    type: "step",
    name: step.name,
    templateKind: step.templateKind,
    options: choice.candidates.map(({ option, match }) => ({
      name: optionName(option),
      matches: match.outcome,
      requirements: match.verdicts,
    })),
    result,
    inputs: step.inputs,
    outputs: outputs.map(({ name, value, isKnown }) => (isKnown ? { name, value } : { name })),
  };
}
