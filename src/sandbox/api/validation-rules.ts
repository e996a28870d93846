import { definitionRuleErrors, hasRules, validationErrors } from "../../cel/index.ts";
import type { JsonObject } from "../../json/index.ts";
import { type FieldError, type FieldErrorType, formatFieldError } from "../../schema/index.ts";
import type { ServedResource } from "./served-resource.ts";

/**
 * What an object breaks of the rules of its definition; or what is wrong with the rules of a
 * definition. `found` is what is wrong with it already: rules are written for values of the right
 * shape. What was broken before is only warned of.
 */
export function ruleErrors(
  resource: ServedResource,
  value: JsonObject,
  old: JsonObject | undefined,
  found: readonly FieldError[],
  warn: (text: string) => void,
): readonly FieldError[] {
  if (resource.storageKey === definitionsKey) {
    return found.length === 0 ? definitionRuleErrors(value, old) : [];
  }
  const { custom, schema } = resource;
  if (custom === undefined || schema === undefined || !hasRules(schema)) return [];
  const isBlocked = found.some(({ type }) => blocking.includes(type));
  if (isBlocked) return [notChecked];
  return validationErrors(schema, value, old, (error) => {
    warn(formatFieldError(error));
  });
}

const definitionsKey = "apiextensions.k8s.io/customresourcedefinitions";

const blocking: readonly FieldErrorType[] = [
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
];

const notChecked: FieldError = {
  type: "FieldValueInvalid",
  field: "<nil>",
  detail:
    "Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
};
