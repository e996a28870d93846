import type { KubernetesObject } from "../../objects/index.ts";
import type { Blueprint } from "../model/blueprint.ts";
import { cycleOf } from "../realize/step-order.ts";
import { equalSelectors, namespacedTemplates } from "../validation/blueprint-checks.ts";

export type TemplateLookup = (kind: string, name: string) => KubernetesObject | undefined;

export interface BlueprintProblem {
  readonly reason: string;
  readonly message: string;
}

/** Why a blueprint cannot serve anybody: what admission cannot see, and templates that are not there. */
export function blueprintProblem(
  blueprint: Blueprint,
  templateOf: TemplateLookup,
): BlueprintProblem | undefined {
  const own = ownProblem(blueprint);
  if (own !== undefined) return own;
  const missing = blueprint.steps.filter((step) =>
    templateNames(step).some((name) => templateOf(step.templateKind, name) === undefined),
  );
  if (missing.length > 0)
    return {
      reason: "TemplatesNotFound",
      message: `did not find the template of the resource(s) [${missing.map(({ name }) => name).join(", ")}]`,
    };
  const [namespaced] = namespacedTemplates(blueprint, templateOf);
  return namespaced === undefined
    ? undefined
    : {
        reason: "NamespaceForbidden",
        message: `template ${namespaced.kind} ${namespaced.name} sets metadata.namespace; objects are stamped into the namespace of their owner`,
      };
}

const ownProblems = new WeakMap<Blueprint, { readonly problem: BlueprintProblem | undefined }>();

/** What is wrong with a blueprint whatever templates there are: looked for once. */
function ownProblem(blueprint: Blueprint): BlueprintProblem | undefined {
  const known = ownProblems.get(blueprint) ?? { problem: findOwnProblem(blueprint) };
  ownProblems.set(blueprint, known);
  return known.problem;
}

function findOwnProblem(blueprint: Blueprint): BlueprintProblem | undefined {
  const cycle = cycleOf(blueprint);
  if (cycle !== undefined)
    return {
      reason: "CyclicInputs",
      message: `steps wait for each other: ${[...cycle, cycle[0] ?? ""].join(" → ")}`,
    };
  const [equal] = equalSelectors(blueprint);
  return equal === undefined
    ? undefined
    : {
        reason: "EqualSelectors",
        message: `options of resource [${equal.step}] have equal selectors: ${equal.options.join(", ")}`,
      };
}

/** The names of all templates that a step may use. */
export function templateNames({ choice }: Blueprint["steps"][number]): readonly string[] {
  return choice.kind === "template"
    ? [choice.name]
    : choice.options.flatMap((option) => (option.kind === "template" ? [option.name] : []));
}
