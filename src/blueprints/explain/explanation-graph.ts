import type { DrawnGraph, DrawnNode } from "../../graph/index.ts";
import type { Explanation, StepExplanation } from "./explain-owner.ts";

/** The way of an owner through its blueprint, to be drawn: every step with what it uses. */
export function explanationGraph({ steps }: Explanation): DrawnGraph {
  return {
    nodes: steps.map((each) => ({
      key: each.step.name,
      label: `${each.step.name}\n${used(each)}`,
      group: "",
      color: colors[each.result.kind],
    })),
    edges: steps.flatMap(({ step }) =>
      step.inputs.map((input) => ({
        from: step.name,
        to: input.step,
        reason: input.name === "" ? input.kind : `${input.kind} ${input.name}`,
        soft: false,
      })),
    ),
  };
}

const colors: Readonly<Record<StepExplanation["result"]["kind"], DrawnNode["color"]>> = {
  stamped: "green",
  passThrough: "grey",
  undecided: "yellow",
  rendering: "yellow",
  problem: "red",
};

/** What a step comes to, in a few words. */
export function used({ step, result }: StepExplanation): string {
  switch (result.kind) {
    case "stamped":
    case "rendering":
      return `${step.templateKind} ${result.template}`;
    case "passThrough":
      return `passes ${result.input} through`;
    case "undecided":
      return `decided when ${result.waitsFor.join(", ")} has emitted`;
    case "problem":
      return result.message;
  }
}
