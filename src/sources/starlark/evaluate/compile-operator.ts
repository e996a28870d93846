import { binary } from "../operations/binary.ts";
import { compare } from "../operations/compare.ts";
import { isTrue } from "../operations/truth.ts";
import { unary } from "../operations/unary.ts";
import type { Position } from "../syntax/position.ts";
import {
  withoutParens,
  type BinaryExpression,
  type BinaryOperator,
  type Expression,
  type UnaryExpression,
} from "../syntax/syntax-tree.ts";
import type { ComparisonOperator, Value } from "../values/value.ts";
import { compileExpression, type Evaluate } from "./compile-expression.ts";
import type { FunctionCompilation } from "./module-scope.ts";

export function compileUnary(
  compilation: FunctionCompilation,
  { operator, operand, position }: UnaryExpression,
): Evaluate {
  const value = compileExpression(compilation, operand);
  if (operator === "not") return (frame) => !isTrue(value(frame));
  return (frame) => {
    const evaluated = value(frame);
    frame.position = position;
    return unary(operator, evaluated);
  };
}

export function compileBinary(
  compilation: FunctionCompilation,
  expression: BinaryExpression,
): Evaluate {
  const { operator, operatorPosition: position } = expression;
  if (operator === "+") return compileSum(compilation, expression);
  const left = compileExpression(compilation, expression.left);
  const right = compileExpression(compilation, expression.right);
  if (operator === "and") {
    return (frame) => {
      const value = left(frame);
      return isTrue(value) ? right(frame) : value;
    };
  }
  if (operator === "or") {
    return (frame) => {
      const value = left(frame);
      return isTrue(value) ? value : right(frame);
    };
  }
  if (isComparison(operator)) return compileComparison(operator, left, right, position);
  const { meter } = compilation.module;
  return (frame) => {
    const x = left(frame);
    const y = right(frame);
    const fast = applyFast(operator, x, y);
    if (fast !== undefined) return fast;
    frame.position = position;
    return binary(meter, operator, x, y);
  };
}

function isComparison(operator: BinaryOperator): operator is ComparisonOperator {
  return ["==", "!=", "<", ">", "<=", ">="].includes(operator);
}

/** The result for two small ints where it is exact, without further ado. */
export function applyFast(operator: BinaryOperator, x: Value, y: Value): number | undefined {
  if (typeof x !== "number" || typeof y !== "number") return undefined;
  let result: number;
  if (operator === "+") result = x + y;
  else if (operator === "-") result = x - y;
  else if (operator === "*") result = x * y + 0;
  else if (operator === "%" && x >= 0 && y > 0) result = x % y;
  else return undefined;
  return Number.isSafeInteger(result) ? result : undefined;
}

function compileComparison(
  operator: ComparisonOperator,
  left: Evaluate,
  right: Evaluate,
  position: Position,
): Evaluate {
  return (frame) => {
    const x = left(frame);
    const y = right(frame);
    if (typeof x === "number" && typeof y === "number") {
      switch (operator) {
        case "==":
          return x === y;
        case "!=":
          return x !== y;
        case "<":
          return x < y;
        case ">":
          return x > y;
        case "<=":
          return x <= y;
        case ">=":
          return x >= y;
      }
    }
    frame.position = position;
    return compare(operator, x, y);
  };
}

/** Long sums, as programs write them to build text, are run in a loop rather than nested. */
function compileSum(compilation: FunctionCompilation, expression: BinaryExpression): Evaluate {
  const { meter } = compilation.module;
  const summands: { readonly evaluate: Evaluate; readonly position: Position }[] = [];
  let first: Expression = expression;
  while (first.kind === "binary" && first.operator === "+") {
    const { right, operatorPosition, left }: BinaryExpression = first;
    summands.unshift({
      evaluate: compileExpression(compilation, right),
      position: operatorPosition,
    });
    first = withoutParens(left);
  }
  const start = compileExpression(compilation, first);
  const [only] = summands;
  if (summands.length === 1 && only !== undefined) {
    const { evaluate, position } = only;
    return (frame) => {
      const x = start(frame);
      const y = evaluate(frame);
      if (typeof x === "number" && typeof y === "number") {
        const sum = x + y;
        if (Number.isSafeInteger(sum)) return sum;
      }
      frame.position = position;
      return binary(meter, "+", x, y);
    };
  }
  return (frame) => {
    let sum = start(frame);
    for (const { evaluate, position } of summands) {
      const summand = evaluate(frame);
      frame.position = position;
      sum = applyFast("+", sum, summand) ?? binary(meter, "+", sum, summand);
    }
    return sum;
  };
}
