import type { CelExpression } from "./expression.ts";

/** The expressions that an expression is made of. */
export function operandsOf(expression: CelExpression): readonly CelExpression[] {
  switch (expression.kind) {
    case "literal":
    case "identifier":
      return [];
    case "select":
      return [expression.operand];
    case "index":
      return [expression.operand, expression.index];
    case "call":
      return expression.target === undefined
        ? expression.args
        : [expression.target, ...expression.args];
    case "logical":
      return [expression.left, expression.right];
    case "conditional":
      return [expression.condition, expression.whenTrue, expression.whenFalse];
    case "list":
      return expression.items;
    case "map":
      return expression.entries.flat();
    case "comprehension": {
      const { range, condition, transform } = expression;
      return [range, condition, transform].filter((part) => part !== undefined);
    }
    case "optional-map":
      return [expression.target, expression.body];
  }
}
