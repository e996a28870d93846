import { asObject, type JsonObject } from "../../json/index.ts";
import { meetsExpression } from "../../objects/index.ts";
import { forbidden, requiredField } from "../field-error.ts";
import { Checker } from "./checker.ts";
import { validateLabels } from "./metadata-validation.ts";
import { labelValueProblems, qualifiedNameProblems } from "./names.ts";

/** A label selector; the result says whether it can be used. */
export function validateSelector(selector: Checker): boolean {
  const before = selector.errors.length;
  validateLabels(selector, "matchLabels");
  for (const expression of selector.items("matchExpressions")) validateRequirement(expression);
  return selector.errors.length === before;
}

/** One expression of a label selector; reviews take operators that nobody knows yet. */
export function validateRequirement(expression: Checker, takesAnyOperator = false): void {
  const values = expression.texts("values");
  validateOperator(expression, takesAnyOperator);
  for (const problem of qualifiedNameProblems(expression.text("key"))) {
    expression.invalid("key", expression.text("key"), problem);
  }
  for (const [index, value] of values.entries()) {
    for (const problem of labelValueProblems(value)) {
      expression.invalid(`values[${index}]`, value, problem);
    }
  }
}

/** The operator of an expression, and whether it has values. */
export function validateOperator(expression: Checker, takesAnyOperator: boolean): void {
  const operator = expression.text("operator");
  const count = expression.texts("values").length;
  if (operator === "In" || operator === "NotIn") {
    if (count > 0) return;
    const detail = "must be specified when `operator` is 'In' or 'NotIn'";
    expression.add(requiredField(expression.field("values"), detail));
  } else if (operator === "Exists" || operator === "DoesNotExist") {
    if (count === 0) return;
    const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    expression.add(forbidden(expression.field("values"), detail));
  } else if (!takesAnyOperator)
    expression.invalid("operator", operator, "not a valid selector operator");
}

/** Whether a label selector picks an object with these labels. */
export function matchesSelector(selector: JsonObject, labels: JsonObject): boolean {
  const exact = Object.entries(asObject(selector["matchLabels"]) ?? {});
  if (exact.some(([key, value]) => labels[key] !== value)) return false;
  return new Checker(selector).items("matchExpressions").every((expression) => {
    const [key, operator] = [expression.text("key"), expression.text("operator")];
    const values = expression.get("values");
    return meetsExpression({ key, operator, values: Array.isArray(values) ? values : [] }, labels);
  });
}

export function isEmptySelector(selector: JsonObject): boolean {
  const labels = Object.keys(asObject(selector["matchLabels"]) ?? {});
  const expressions = selector["matchExpressions"];
  return labels.length === 0 && !(Array.isArray(expressions) && expressions.length > 0);
}
