import type { Expression } from "./expression.ts";
import { partsOf } from "./expression-parts.ts";

/** The chains of fields that an expression reads from a variable, each as far as it is only names. */
export function pathsFrom(
  expression: Expression,
  variable: string,
): readonly (readonly string[])[] {
  const path = chainOf(expression, variable);
  if (path !== undefined) return [path];
  return partsOf(expression).flatMap((part) => pathsFrom(part, variable));
}

function chainOf(expression: Expression, variable: string): readonly string[] | undefined {
  const fields: string[] = [];
  let at = expression;
  for (; at.kind === "select"; at = at.operand) fields.unshift(at.field);
  return at.kind === "identifier" && at.name === variable ? fields : undefined;
}
