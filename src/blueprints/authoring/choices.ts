import type { JsonValue } from "../../json/index.ts";
import type { Emits, FieldRequirement, Template } from "./templates.ts";

/** What a requirement may look at. */
export type Key =
  | `workload.${string}`
  | `deliverable.${string}`
  | `spec.${string}`
  | `metadata.${string}`
  | `sources.${string}`
  | `images.${string}`
  | `configs.${string}`
  | `params.${string}`;

/** When an option is the one to take. All of it must be met. */
export interface Selector {
  readonly matchFields?: readonly FieldRequirement[];
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
    readonly values?: readonly string[];
  }[];
}

export function exists(key: Key): Selector {
  return { matchFields: [{ key, operator: "Exists" }] };
}

export function doesNotExist(key: Key): Selector {
  return { matchFields: [{ key, operator: "DoesNotExist" }] };
}

export function isIn(key: Key, ...values: readonly [JsonValue, ...JsonValue[]]): Selector {
  return { matchFields: [{ key, operator: "In", values: [...values] }] };
}

export function notIn(key: Key, ...values: readonly [JsonValue, ...JsonValue[]]): Selector {
  return { matchFields: [{ key, operator: "NotIn", values: [...values] }] };
}

export function hasLabel(key: string, value: string): Selector {
  return { matchLabels: { [key]: value } };
}

/** All of them together. */
export function allOf(...selectors: readonly Selector[]): Selector {
  const fields = selectors.flatMap(({ matchFields = [] }) => matchFields);
  const expressions = selectors.flatMap(({ matchExpressions = [] }) => matchExpressions);
  const labels = Object.assign({}, ...selectors.map(({ matchLabels }) => matchLabels));
  return {
    ...(fields.length === 0 ? {} : { matchFields: fields }),
    ...(Object.keys(labels as object).length === 0
      ? {}
      : { matchLabels: labels as Readonly<Record<string, string>> }),
    ...(expressions.length === 0 ? {} : { matchExpressions: expressions }),
  };
}

/** One template of several, and when it is taken; or an input that is handed on as it is. */
export interface Option<Kind extends Emits, Passed extends string> {
  readonly emits: Kind;
  readonly passed?: Passed;
  readonly template?: Template<Kind>;
  readonly selector: Selector;
}

export function option<Kind extends Emits>(
  template: Template<Kind>,
  selector: Selector,
): Option<Kind, never> {
  return { emits: template.emits, template, selector };
}

/** The input that is to be handed on, which the step must have. */
export function passThrough<Kind extends "source" | "image" | "config", Input extends string>(
  emits: Kind,
  input: Input,
  selector: Selector,
): Option<Kind, Input> {
  return { emits, passed: input, selector };
}

/** What a step uses: a template, or one of several. */
export interface Choice<Kind extends Emits, Passed extends string> {
  readonly emits: Kind;
  readonly options: readonly Option<Kind, Passed>[];
}

/** One of these, all of which emit the same. */
export function choose<Kind extends Emits, Passed extends string = never>(
  first: Option<Kind, Passed>,
  ...others: readonly Option<NoInfer<Kind>, Passed>[]
): Choice<Kind, Passed> {
  return { emits: first.emits, options: [first, ...others] };
}
