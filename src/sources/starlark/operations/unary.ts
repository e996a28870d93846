import { raise } from "../evaluation-error.ts";
import type { UnaryOperator } from "../syntax/syntax-tree.ts";
import { intOf } from "../values/int.ts";
import { StarlarkObject, type Value } from "../values/value.ts";
import { isTrue } from "./truth.ts";
import { typeName } from "./type-name.ts";

export function unary(operator: UnaryOperator, operand: Value): Value {
  if (operator === "not") return !isTrue(operand);
  if (typeof operand === "number") {
    if (operator === "+") return operand;
    return operator === "-" ? 0 - operand : -1 - operand;
  }
  if (typeof operand === "bigint") {
    if (operator === "+") return operand;
    return intOf(operator === "-" ? -operand : ~operand);
  }
  const result = operand instanceof StarlarkObject ? operand.unary(operator) : undefined;
  return result ?? raise(`unknown unary op: ${operator} ${typeName(operand)}`);
}
