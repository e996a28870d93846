import { findCycle, Graph } from "../../graph/index.ts";
import type { Blueprint, Step } from "../model/blueprint.ts";

/** What a step takes, as a graph. */
export function stepGraph(steps: readonly Step[]): Graph {
  return new Graph(
    steps.map(({ name }) => name),
    steps.flatMap(({ name, inputs }) =>
      inputs.map((input) => ({
        from: name,
        to: input.step,
        reason: input.name === "" ? input.kind : `${input.kind} ${input.name}`,
      })),
    ),
  );
}

/** The steps in an order in which each comes after what it takes; undefined when there is a cycle. */
export function stepOrder({ steps }: Pick<Blueprint, "steps">): readonly Step[] | undefined {
  const graph = stepGraph(steps);
  if (findCycle(graph) !== undefined) return undefined;
  const byName = new Map(steps.map((step) => [step.name, step]));
  return graph.order().flatMap((name) => byName.get(name) ?? []);
}

/** The names of the steps of one cycle. */
export function cycleOf({ steps }: Pick<Blueprint, "steps">): readonly string[] | undefined {
  return findCycle(stepGraph(steps))?.map(({ from }) => from);
}
