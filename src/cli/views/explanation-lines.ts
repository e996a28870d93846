import {
  type Explanation,
  optionName,
  type StepExplanation,
  used,
  verdictText,
} from "../../blueprints/index.ts";
import { writeYaml } from "../../objects/index.ts";
import type { Style } from "../style.ts";
import { tableLines } from "./table-lines.ts";

/** An explanation for people: the choice with its reasons, then each step, then what it stamps. */
export function explanationLines(explanation: Explanation, style: Style): string {
  const { problem, steps, choice } = explanation;
  const lines = [...choiceLines(explanation, style)];
  if (problem !== undefined)
    lines.push("", style.red(`it cannot serve anybody: ${problem.message}`));
  if (choice.kind === "chosen")
    for (const [index, step] of steps.entries())
      lines.push("", ...stepLines(step, index + 1, style));
  return `${lines.join("\n")}\n`;
}

function choiceLines({ owner, family, choice }: Explanation, style: Style): readonly string[] {
  const subject = `${owner.kind} ${owner.metadata.name ?? ""}`;
  const { blueprintName } = family;
  const rows = choice.candidates.map(({ blueprint, match }) => {
    const isChosen = choice.kind === "chosen" && choice.blueprint === blueprint;
    const mark = isChosen ? "chosen" : match.outcome === "yes" ? "matches" : "no";
    return [`  ${blueprint.name}`, mark, match.verdicts.map(verdictText).join(", ")];
  });
  return [headline(), ...tableLines(rows)];

  function headline(): string {
    switch (choice.kind) {
      case "chosen":
        return `${subject} is served by ${blueprintName} ${style.bold(choice.blueprint.name)}`;
      case "none":
        return style.red(`no ${blueprintName} serves ${subject}`);
      case "several":
        return style.red(
          `${choice.blueprints.length} ${blueprintName}s match ${subject} equally well`,
        );
      case "unjudged":
        return style.red(`no ${blueprintName} serves ${subject}: ${choice.problem}`);
    }
  }
}

function stepLines(explained: StepExplanation, number: number, style: Style): readonly string[] {
  const { step, choice, result, outputs } = explained;
  const isBad = result.kind === "problem";
  const title = `${number} ${style.bold(step.name)}: ${isBad ? style.red(used(explained)) : used(explained)}`;
  const rows = choice.candidates.map(({ option, match }) => [
    `    ${optionName(option)}`,
    match.outcome === "yes" ? "matches" : match.outcome === "unknown" ? "not known" : "no",
    match.verdicts.map(verdictText).join(", "),
  ]);
  const takes = step.inputs.map(
    ({ kind, name, step: from }) => `${kind}${name === "" ? "" : ` ${name}`} from ${from}`,
  );
  const emits = outputs.map(({ name, value, isKnown }) =>
    isKnown
      ? `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`
      : `${name} (not known yet)`,
  );
  return [
    title,
    ...tableLines(rows),
    ...(takes.length === 0 ? [] : [`    takes ${takes.join(", ")}`]),
    ...(emits.length === 0 ? [] : [`    emits ${emits.join(", ")}`]),
    ...(result.kind === "stamped" ? ["", ...indented(writeYaml([result.object]))] : []),
  ];
}

function indented(text: string): readonly string[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => `    ${line}`);
}
