import type { Diagnostic } from "../../diagnostics/index.ts";
import {
  formatIdentity,
  identityOf,
  type KubernetesObject,
  type SourcedObject,
  writeYaml,
} from "../../objects/index.ts";
import { type Blueprint, optionName } from "../model/blueprint.ts";
import { findExamples } from "./find-examples.ts";

/** Warns of workloads for which two options match, or none, each with one that shows it. */
export function optionFindings(
  sourced: SourcedObject,
  blueprint: Blueprint,
): readonly Diagnostic[] {
  const subject = formatIdentity(identityOf(sourced.object));
  const { ownerName } = blueprint.family;
  return blueprint.steps.flatMap((step, index) => {
    if (step.choice.kind !== "options") return [];
    const source = sourced.sourceOf(["spec", "resources", index, "templateRef", "options"]);
    const { overlaps, gap, isComplete } = findExamples(blueprint, step);
    const found: Diagnostic[] = overlaps.map(({ options, example, emitted }) => ({
      code: "blueprints.overlap",
      severity: "warning",
      summary: `${subject}: options ${options.map(optionName).join(" and ")} of step ${step.name} can both match`,
      detail: shown(ownerName, example, emitted),
      hint: "Ask for more in one of them, so that they exclude each other.",
      subject,
      source,
    }));
    if (gap !== undefined)
      found.push({
        code: "blueprints.gap",
        severity: "warning",
        summary: `${subject}: for some ${ownerName}s no option of step ${step.name} matches`,
        detail: shown(ownerName, gap.example, gap.emitted),
        hint: "Add an option for them, or let the selector ask for what the options need.",
        subject,
        source,
      });
    if (!isComplete)
      found.push({
        code: "blueprints.not-searched",
        severity: "warning",
        summary: `${subject}: step ${step.name} asks for too many things to try them all`,
        subject,
        source,
      });
    return found;
  });
}

function shown(ownerName: string, example: KubernetesObject, emitted: readonly string[]): string {
  const when = emitted.length === 0 ? "" : `when ${emitted.join(", ")}\n`;
  return `${when}for example this ${ownerName}:\n${writeYaml([example]).trimEnd()}`;
}
