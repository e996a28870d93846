import type { JsonObject } from "../../json/index.ts";
import { speaksCartographer } from "../cartographer/speaks-cartographer.ts";
import type { Blueprint } from "../model/blueprint.ts";
import { objectAt } from "../model/read-fields.ts";
import { blueprintProblem, type TemplateLookup } from "./blueprint-problem.ts";
import { dated, type Judgement, previousConditions, summary } from "./conditions.ts";

/** The status of a supply chain or delivery: whether it can serve. */
export function blueprintStatus(
  blueprint: Blueprint,
  templateOf: TemplateLookup,
  now: string,
): JsonObject {
  const problem = blueprintProblem(blueprint, templateOf);
  const found: Judgement =
    problem?.reason === "TemplatesNotFound"
      ? { type: "TemplatesReady", status: "False", ...problem }
      : { type: "TemplatesReady", status: "True", reason: "Ready", message: "" };
  const valid: Judgement =
    problem === undefined || problem.reason === "TemplatesNotFound"
      ? { type: "Valid", status: "True", reason: "Valid", message: "" }
      : { type: "Valid", status: "False", ...problem };
  const ready = summary("Ready", [found, valid]);
  // Cartographer has no condition Valid: what it would say stands in Ready.
  const judgements = speaksCartographer(blueprint.object) ? [found, ready] : [found, valid, ready];
  const previous = previousConditions(objectAt(blueprint.object, "status"));
  return {
    observedGeneration: blueprint.object.metadata.generation ?? 0,
    conditions: dated(judgements, previous, now) as unknown as JsonObject[],
  };
}
