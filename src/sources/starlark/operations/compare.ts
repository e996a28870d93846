import { EvaluationError } from "../evaluation-error.ts";
import { StarlarkFloat } from "../values/float.ts";
import { isInt } from "../values/int.ts";
import type { ComparisonOperator, Value } from "../values/value.ts";
import { typeName } from "./type-name.ts";

/** How deep nested values are compared; deeper ones, and those that hold themselves, fail. */
const deepestComparison = 10;

export function isEqual(left: Value, right: Value, depth = deepestComparison): boolean {
  return compare("==", left, right, depth);
}

/** Applies a comparison operator, or fails where the two types have no order. */
export function compare(
  operator: ComparisonOperator,
  left: Value,
  right: Value,
  depth = deepestComparison,
): boolean {
  if (depth < 1) throw new EvaluationError("comparison exceeded maximum recursion depth");
  if (typeof left === "string" && typeof right === "string") {
    return holds(operator, left < right ? -1 : left > right ? 1 : 0);
  }
  if (isInt(left) && isInt(right)) {
    return holds(operator, left < right ? -1 : left > right ? 1 : 0);
  }
  if (typeof left === "boolean" && typeof right === "boolean") {
    return holds(operator, Number(left) - Number(right));
  }
  const order = compareFloats(left, right);
  if (order !== undefined) return holds(operator, order);
  if (typeof left === "object" && typeof right === "object" && left !== null && right !== null) {
    const isSameType = left.typeName === right.typeName;
    const answer = isSameType ? left.compare(operator, right, depth) : undefined;
    if (answer !== undefined) return answer;
  }
  if (operator === "==") return left === right;
  if (operator === "!=") return left !== right;
  throw new EvaluationError(`${typeName(left)} ${operator} ${typeName(right)} not implemented`);
}

/** Compares element by element; the first pair that differs decides. */
export function compareSequences(
  operator: ComparisonOperator,
  left: readonly Value[],
  right: readonly Value[],
  depth: number,
): boolean {
  const isEquality = operator === "==" || operator === "!=";
  if (isEquality && left.length !== right.length) return operator === "!=";
  for (const [index, element] of left.entries()) {
    const other = right[index];
    if (other === undefined) break;
    if (isEqual(element, other, depth - 1)) continue;
    return isEquality ? operator === "!=" : compare(operator, element, other, depth - 1);
  }
  return holds(operator, left.length - right.length);
}

/** What an operator says of an order: below zero, zero or above. */
export function holds(operator: ComparisonOperator, order: number): boolean {
  switch (operator) {
    case "==":
      return order === 0;
    case "!=":
      return order !== 0;
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
  }
}

/** NaN equals itself and is above all other numbers, so that sorting is well defined. */
function compareFloats(left: Value, right: Value): number | undefined {
  const x = left instanceof StarlarkFloat ? left.number : isInt(left) ? left : undefined;
  const y = right instanceof StarlarkFloat ? right.number : isInt(right) ? right : undefined;
  if (x === undefined || y === undefined) return undefined;
  if (x < y) return -1;
  if (x > y) return 1;
  if (Number.isNaN(x)) return Number.isNaN(y) ? 0 : 1;
  return Number.isNaN(y) ? -1 : 0;
}
