import { validationErrors } from "../../cel/index.ts";
import type { Diagnostic } from "../../diagnostics/index.ts";
import { fieldAt, type JsonObject } from "../../json/index.ts";
import {
  type FieldPath,
  formatIdentity,
  groupOf,
  identityOf,
  type KubernetesObject,
  type SourcedObject,
} from "../../objects/index.ts";
import { diagnoseObject, fieldSteps, formatFieldError } from "../../schema/index.ts";
import { isBlueprintGroup, templateKinds } from "../groups.ts";
import { type Blueprint, readBlueprint } from "../model/blueprint.ts";
import { readTemplate } from "../model/template.ts";
import { cycleOf } from "../realize/step-order.ts";
import { templateProblem } from "../realize/realize-step.ts";
import { pathProblem } from "../requirements/evaluate-path.ts";
import { emittedKey } from "../requirements/judge.ts";
import { tagsOf } from "../stamping/interpolate.ts";
import { templateNames } from "../status/blueprint-problem.ts";
import { equalSelectors, setsNamespace } from "./blueprint-checks.ts";
import { optionFindings } from "./option-findings.ts";
import { schemaOf } from "./schema-of.ts";

/** What the API server would refuse of supply chains, deliveries, templates and owners. */
export function refusedObjects(objects: readonly SourcedObject[]): readonly Diagnostic[] {
  return objects
    .filter(({ object }) => isBlueprintGroup(groupOf(object.apiVersion)))
    .flatMap(schemaProblems);
}

/** Everything that can be said of supply chains, deliveries and templates without a cluster. */
export function validatePlatform(objects: readonly SourcedObject[]): readonly Diagnostic[] {
  const ours = objects.filter(({ object }) => isBlueprintGroup(groupOf(object.apiVersion)));
  const refused = refusedObjects(ours);
  const templates = new Map(
    ours
      .filter(({ object }) => (templateKinds as readonly string[]).includes(object.kind))
      .map((sourced) => [templateKey(sourced.object), sourced]),
  );
  const hasTemplates = templates.size > 0;
  return [
    ...refused,
    ...[...templates.values()].flatMap((each) => templateProblems(each)),
    ...ours
      .filter(({ object }) => object.kind === "ClusterRunTemplate")
      .flatMap(runTemplateProblems),
    ...ours.flatMap((sourced) => {
      const blueprint = readBlueprint(sourced.object);
      if (blueprint === undefined) return [];
      const checks = blueprintProblems(sourced, blueprint);
      const isSound = ![...refused, ...checks].some(({ severity }) => severity === "error");
      return [
        ...checks,
        ...(hasTemplates ? missingTemplates(sourced, blueprint, templates, ours) : []),
        // What is not valid has no meaning that could overlap.
        ...(isSound ? optionFindings(sourced, blueprint) : []),
      ];
    }),
  ];
}

/** What the API server would say no to: the schema, and the rules in it. */
function schemaProblems(sourced: SourcedObject): readonly Diagnostic[] {
  const { object } = sourced;
  const schema = schemaOf(object);
  if (schema === undefined) return [];
  const subject = subjectOf(object);
  const { group, kind } = identityOf(object);
  const place = (path: FieldPath) => sourced.sourceOf(path);
  const { value, diagnostics } = diagnoseObject(
    { group, version: "v1alpha1", kind },
    schema,
    object as unknown as JsonObject,
    subject,
    place,
  );
  if (diagnostics.some(({ severity }) => severity === "error")) return diagnostics;
  const rules = validationErrors(schema, value, undefined).map((error): Diagnostic => ({
    code: "blueprints.invalid-object",
    severity: "error",
    summary: `${subject} is invalid: ${formatFieldError(error)}`,
    subject,
    source: place(fieldSteps(error.field)),
  }));
  return [...diagnostics, ...rules];
}

function templateProblems(
  sourced: SourcedObject,
  subject = subjectOf(sourced.object),
): readonly Diagnostic[] {
  const { object } = sourced;
  const found: Diagnostic[] = [];
  const add = (code: Diagnostic["code"], summary: string, hint: string, path: FieldPath): void => {
    found.push({ code, severity: "error", summary, hint, subject, source: sourced.sourceOf(path) });
  };
  if (setsNamespace(object))
    add(
      "blueprints.namespace-forbidden",
      `${subject} sets metadata.namespace of what it stamps`,
      "Remove it: objects are stamped into the namespace of their owner.",
      ["spec", "template", "metadata", "namespace"],
    );
  const template = readTemplate(object);
  const problem = templateProblem(template);
  if (problem !== undefined)
    add("blueprints.unusable-template", `${subject}: ${problem}`, "Correct the path.", ["spec"]);
  if (template.body.kind === "ytt") return found;
  for (const { path, place } of tagsOf(template.body.template)) {
    const unreadable = pathProblem(path);
    if (unreadable !== undefined)
      add(
        "blueprints.unusable-template",
        `${subject}: at ${place}: ${unreadable}`,
        "Correct the path.",
        ["spec", "template"],
      );
  }
  const metadata = fieldAt(template.body.template, "metadata");
  const [needed, given] =
    template.lifecycle === "mutable" ? ["name", "generateName"] : ["generateName", "name"];
  if (fieldAt(metadata, needed) === undefined)
    add(
      "blueprints.unusable-template",
      `${subject} sets no metadata.${needed} of what it stamps, which the lifecycle ${template.lifecycle} needs`,
      fieldAt(metadata, given) === undefined
        ? `Set metadata.${needed} in the template.`
        : `Write ${needed} instead of ${given}.`,
      ["spec", "template", "metadata"],
    );
  return found;
}

/** A run template is an immutable one: there is one object for every set of inputs. */
function runTemplateProblems(sourced: SourcedObject): readonly Diagnostic[] {
  const { object } = sourced;
  const spec = { ...(fieldAt(object, "spec") as JsonObject | undefined), lifecycle: "immutable" };
  const template = { ...object, kind: "ClusterTemplate", spec };
  return templateProblems({ ...sourced, object: template }, subjectOf(object));
}

function blueprintProblems(sourced: SourcedObject, blueprint: Blueprint): readonly Diagnostic[] {
  const subject = subjectOf(sourced.object);
  const found: Diagnostic[] = [];
  const add = (code: Diagnostic["code"], summary: string, hint: string, path: FieldPath): void => {
    found.push({ code, severity: "error", summary, hint, subject, source: sourced.sourceOf(path) });
  };
  const at = (step: string): number => blueprint.steps.findIndex(({ name }) => name === step);
  const cycle = cycleOf(blueprint);
  if (cycle !== undefined)
    add(
      "blueprints.cycle",
      `${subject}: steps wait for each other: ${[...cycle, cycle[0] ?? ""].join(" → ")}`,
      "Remove one of these inputs.",
      ["spec", "resources", at(cycle[0] ?? "")],
    );
  for (const { step, options } of equalSelectors(blueprint))
    add(
      "blueprints.equal-selectors",
      `${subject}: options ${options.join(" and ")} of step ${step} have equal selectors`,
      "Whenever one matches, both do: let them ask for different things.",
      ["spec", "resources", at(step), "templateRef", "options"],
    );
  for (const [index, step] of blueprint.steps.entries()) {
    if (step.choice.kind !== "options") continue;
    for (const [option, { selector }] of step.choice.options.entries())
      for (const requirement of selector) {
        if (requirement.kind !== "field") continue;
        const place: FieldPath = ["spec", "resources", index, "templateRef", "options", option];
        const unreadable = pathProblem(requirement.key);
        if (unreadable !== undefined)
          add(
            "blueprints.unusable-template",
            `${subject}: ${unreadable}`,
            "Correct the key.",
            place,
          );
        const key = emittedKey(requirement.key);
        if (key === undefined || key.root === "params") continue;
        const isInput = step.inputs.some(
          ({ kind, name }) => `${kind}s` === key.root && name === key.name,
        );
        if (!isInput)
          add(
            "blueprints.unknown-input",
            `${subject}: an option of step ${step.name} looks at ${key.root}.${key.name}, which the step does not take`,
            `Add it to ${key.root} of the step.`,
            place,
          );
      }
  }
  return found;
}

function missingTemplates(
  sourced: SourcedObject,
  blueprint: Blueprint,
  templates: ReadonlyMap<string, SourcedObject>,
  all: readonly SourcedObject[],
): readonly Diagnostic[] {
  const subject = subjectOf(sourced.object);
  return blueprint.steps.flatMap((step, index) =>
    templateNames(step).flatMap((name): readonly Diagnostic[] => {
      const key = `${blueprint.group}/${step.templateKind}/${name}`;
      if (templates.has(key)) return [];
      const elsewhere = all.find(
        ({ object }) => object.kind === step.templateKind && object.metadata.name === name,
      );
      const source = sourced.sourceOf(["spec", "resources", index, "templateRef"]);
      return elsewhere === undefined
        ? [
            {
              code: "blueprints.template-missing",
              severity: "error",
              summary: `${subject}: step ${step.name} names ${step.templateKind} ${name}, which is not there`,
              hint: "Add the template, or correct the name.",
              subject,
              source,
            },
          ]
        : [
            {
              code: "blueprints.mixed-groups",
              severity: "error",
              summary: `${subject}: step ${step.name} names ${step.templateKind} ${name}, which is of the group ${groupOf(elsewhere.object.apiVersion)}, not ${blueprint.group}`,
              hint: `Write its apiVersion as ${blueprint.group}/v1alpha1.`,
              subject,
              source: elsewhere.sourceOf(["apiVersion"]),
            },
          ];
    }),
  );
}

function templateKey(object: KubernetesObject): string {
  return `${groupOf(object.apiVersion)}/${object.kind}/${object.metadata.name ?? ""}`;
}

function subjectOf(object: KubernetesObject): string {
  return formatIdentity(identityOf(object));
}
