import type { CelExpression } from "./expression.ts";
import { operandsOf } from "./operands-of.ts";

/** The chains of fields that an expression reads from a variable, each as far as it is only names. */
export function pathsFrom(
  expression: CelExpression,
  variable: string,
): readonly (readonly string[])[] {
  const path = chainOf(expression, variable);
  if (path !== undefined) return [path];
  return operandsOf(expression).flatMap((part) => pathsFrom(part, variable));
}

function chainOf(expression: CelExpression, variable: string): readonly string[] | undefined {
  const fields: string[] = [];
  let at = expression;
  for (; at.kind === "select"; at = at.operand) fields.unshift(at.field);
  return at.kind === "identifier" && at.name === variable ? fields : undefined;
}
