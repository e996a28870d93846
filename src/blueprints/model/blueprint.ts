import { fieldAt, type JsonValue } from "../../json/index.ts";
import { groupOf, type KubernetesObject } from "../../objects/index.ts";
import {
  type BlueprintGroup,
  type Family,
  familyOfBlueprint,
  isBlueprintGroup,
  type TemplateKind,
} from "../groups.ts";
import { type Requirement, readSelector } from "../requirements/requirement.ts";
import { objectsAt, textAt, valueAt } from "./read-fields.ts";

/** How the option of a step is chosen: one must match, or the one with the most requirements wins. */
export type OptionMatching = "exactlyOne" | "mostSpecific";

/** A supply chain or a delivery, as the rest of this folder reads it. */
export interface Blueprint {
  readonly group: BlueprintGroup;
  readonly family: Family;
  readonly name: string;
  readonly selector: readonly Requirement[];
  readonly steps: readonly Step[];
  readonly params: readonly BlueprintParam[];
  readonly serviceAccount:
    | { readonly name: string; readonly namespace?: string | undefined }
    | undefined;
  readonly optionMatching: OptionMatching;
  readonly object: KubernetesObject;
}

export interface Step {
  readonly name: string;
  readonly templateKind: TemplateKind;
  readonly choice:
    | { readonly kind: "template"; readonly name: string }
    | { readonly kind: "options"; readonly options: readonly TemplateOption[] };
  readonly params: readonly BlueprintParam[];
  readonly inputs: readonly Input[];
}

export type TemplateOption = { readonly selector: readonly Requirement[] } & (
  | { readonly kind: "template"; readonly name: string }
  | { readonly kind: "passThrough"; readonly input: string }
);

/** What a step takes from an earlier one. */
export interface Input {
  readonly kind: "source" | "image" | "config" | "deployment";
  /** How the step names it; empty for a deployment, of which there is one. */
  readonly name: string;
  /** The step that emits it. */
  readonly step: string;
}

export interface BlueprintParam {
  readonly name: string;
  readonly value: JsonValue;
  /** Whether the owner may not set it. */
  readonly fixed: boolean;
}

const known = new WeakMap<KubernetesObject, Blueprint>();

/** Reads a blueprint, once for every version of it; undefined when the object is none. */
export function readBlueprint(object: KubernetesObject): Blueprint | undefined {
  const before = known.get(object);
  if (before !== undefined) return before;
  const blueprint = parseBlueprint(object);
  if (blueprint !== undefined) known.set(object, blueprint);
  return blueprint;
}

function parseBlueprint(object: KubernetesObject): Blueprint | undefined {
  const group = groupOf(object.apiVersion);
  const family = familyOfBlueprint(object.kind);
  if (!isBlueprintGroup(group) || family === undefined) return undefined;
  const spec = fieldAt(object, "spec");
  const account = textAt(spec, "serviceAccountRef", "name");
  const matching = textAt(spec, "optionMatching");
  return {
    group,
    family,
    name: object.metadata.name ?? "",
    selector: readSelector(spec, {
      labels: "selector",
      expressions: "selectorMatchExpressions",
      fields: "selectorMatchFields",
    }),
    steps: objectsAt(spec, "resources").map(readStep),
    params: readParams(spec),
    serviceAccount:
      account === undefined
        ? undefined
        : { name: account, namespace: textAt(spec, "serviceAccountRef", "namespace") },
    optionMatching:
      matching === "mostSpecific" || (matching === undefined && group === "carto.run")
        ? "mostSpecific"
        : "exactlyOne",
    object,
  };
}

function readStep(step: unknown): Step {
  const name = textAt(step, "templateRef", "name");
  return {
    name: textAt(step, "name") ?? "",
    templateKind: (textAt(step, "templateRef", "kind") ?? "ClusterTemplate") as TemplateKind,
    choice:
      name === undefined
        ? { kind: "options", options: objectsAt(step, "templateRef", "options").map(readOption) }
        : { kind: "template", name },
    params: readParams(step),
    inputs: [
      ...readInputs(step, "sources", "source"),
      ...readInputs(step, "images", "image"),
      ...readInputs(step, "configs", "config"),
      ...readDeployment(step),
    ],
  };
}

function readOption(option: unknown): TemplateOption {
  const selector = readSelector(fieldAt(option, "selector"), {
    labels: "matchLabels",
    expressions: "matchExpressions",
    fields: "matchFields",
  });
  const input = textAt(option, "passThrough");
  return input === undefined
    ? { kind: "template", name: textAt(option, "name") ?? "", selector }
    : { kind: "passThrough", input, selector };
}

function readInputs(step: unknown, field: string, kind: Input["kind"]): readonly Input[] {
  return objectsAt(step, field).map((input) => ({
    kind,
    name: textAt(input, "name") ?? "",
    step: textAt(input, "resource") ?? "",
  }));
}

function readDeployment(step: unknown): readonly Input[] {
  const from = textAt(step, "deployment", "resource");
  return from === undefined ? [] : [{ kind: "deployment", name: "", step: from }];
}

function readParams(holder: unknown): readonly BlueprintParam[] {
  return objectsAt(holder, "params").map((param) => {
    const fixed = Object.hasOwn(param, "value");
    return {
      name: textAt(param, "name") ?? "",
      value: valueAt(param, fixed ? "value" : "default") ?? null,
      fixed,
    };
  });
}

/** How an option is named to people. */
export function optionName(option: TemplateOption): string {
  return option.kind === "template" ? option.name : `passThrough ${option.input}`;
}
