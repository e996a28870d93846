import { fieldAt, type JsonObject, type JsonValue } from "../../json/index.ts";
import { objectsAt, textAt, textsAt } from "../model/read-fields.ts";

export const fieldOperators = ["In", "NotIn", "Exists", "DoesNotExist"] as const;
export type FieldOperator = (typeof fieldOperators)[number];

/** One thing that a selector asks for; all of them must be met. */
export type Requirement = LabelRequirement | FieldRequirement;

export interface LabelRequirement {
  readonly kind: "label";
  readonly key: string;
  readonly operator: "=" | FieldOperator;
  readonly values: readonly string[];
}

export interface FieldRequirement {
  readonly kind: "field";
  /** A JSON path, on the owner or on what earlier steps emitted. */
  readonly key: string;
  readonly operator: FieldOperator;
  readonly values: readonly JsonValue[];
}

/** Blueprints and options write the same selector with different field names. */
export interface SelectorFields {
  readonly labels: string;
  readonly expressions: string;
  readonly fields: string;
}

export function readSelector(holder: unknown, names: SelectorFields): readonly Requirement[] {
  return [
    ...textsAt(holder, names.labels).map(([key, value]): Requirement => ({
      kind: "label",
      key,
      operator: "=",
      values: [value],
    })),
    ...objectsAt(holder, names.expressions).map((expression): Requirement => ({
      kind: "label",
      key: textAt(expression, "key") ?? "",
      operator: operatorOf(expression),
      values: valuesOf(expression).filter((value) => typeof value === "string"),
    })),
    ...objectsAt(holder, names.fields).map(readFieldRequirement),
  ];
}

export function readFieldRequirement(requirement: JsonObject): FieldRequirement {
  return {
    kind: "field",
    key: textAt(requirement, "key") ?? "",
    operator: operatorOf(requirement),
    values: valuesOf(requirement),
  };
}

function operatorOf(requirement: JsonObject): FieldOperator {
  return fieldOperators.find((each) => each === requirement["operator"]) ?? "Exists";
}

function valuesOf(requirement: JsonObject): readonly JsonValue[] {
  const values = fieldAt(requirement, "values");
  return Array.isArray(values) ? (values as JsonValue[]) : [];
}
