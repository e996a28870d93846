import type { JsonValue } from "../../json/index.ts";
import { JsonPathError } from "./evaluation-error.ts";
import type { JsonPathOperator } from "./json-path.ts";

/**
 * Compares two values as a filter does: only numbers with numbers and text with text, booleans only
 * for being equal. kubectl tells integers from floats and refuses to compare them; here 1 is 1.0.
 */
export function filterHolds(
  left: JsonValue,
  operator: JsonPathOperator,
  right: JsonValue,
): boolean {
  const type = comparableType(left);
  if (type === undefined || comparableType(right) === undefined) {
    throw new JsonPathError("a filter compares only text, numbers and booleans");
  }
  if (type !== comparableType(right)) {
    throw new JsonPathError("a filter cannot compare values of different types");
  }
  // Loose equality makes a bigint equal to the number that it is.
  // oxlint-disable-next-line eqeqeq -- see above
  if (operator === "==") return left == right;
  // oxlint-disable-next-line eqeqeq -- see above
  if (operator === "!=") return left != right;
  if (type === "boolean") throw new JsonPathError("a filter cannot order booleans");
  const [first, second] = [left as string | number | bigint, right as string | number | bigint];
  switch (operator) {
    case "<":
      return first < second;
    case "<=":
      return first <= second;
    case ">":
      return first > second;
    case ">=":
      return first >= second;
    default:
      return operator satisfies never;
  }
}

function comparableType(value: JsonValue): "number" | "string" | "boolean" | undefined {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "boolean";
  return typeof value === "object" ? undefined : "number";
}
