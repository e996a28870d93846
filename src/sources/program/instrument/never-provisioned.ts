import type { ESTree } from "rolldown/utils";
import type { ModuleText, Range } from "./module-text.ts";

const plainNames = new Set(["undefined", "NaN", "Infinity"]);

/** Whether the syntax alone shows that an expression cannot give a provisioned value. */
export function isNeverProvisioned(node: ESTree.Expression | ESTree.PrivateIdentifier): boolean {
  switch (node.type) {
    case "Literal":
    case "PrivateIdentifier":
    case "ArrayExpression":
    case "ObjectExpression":
    case "ArrowFunctionExpression":
    case "FunctionExpression":
    case "ClassExpression":
    case "ThisExpression":
    case "MetaProperty":
    case "NewExpression":
    case "UpdateExpression":
    case "UnaryExpression":
    case "ImportExpression":
      return true;
    case "Identifier":
      return plainNames.has(node.name);
    case "TemplateLiteral":
      return node.expressions.every(isNeverProvisioned);
    case "BinaryExpression":
      return (
        node.operator !== "+" || (isNeverProvisioned(node.left) && isNeverProvisioned(node.right))
      );
    case "LogicalExpression":
      return isNeverProvisioned(node.left) && isNeverProvisioned(node.right);
    case "ConditionalExpression":
      return isNeverProvisioned(node.consequent) && isNeverProvisioned(node.alternate);
    case "AssignmentExpression":
      return node.operator === "=" && isNeverProvisioned(node.right);
    case "SequenceExpression": {
      const last = node.expressions.at(-1);
      return last !== undefined && isNeverProvisioned(last);
    }
    case "ParenthesizedExpression":
    case "TSAsExpression":
    case "TSNonNullExpression":
    case "TSSatisfiesExpression":
    case "TSTypeAssertion":
      return isNeverProvisioned(node.expression);
    default:
      return false;
  }
}

/** The expression that parentheses and type annotations enclose. */
export function withoutParentheses(node: ESTree.Expression): ESTree.Expression {
  switch (node.type) {
    case "ParenthesizedExpression":
    case "TSAsExpression":
    case "TSNonNullExpression":
    case "TSSatisfiesExpression":
    case "TSTypeAssertion":
      return withoutParentheses(node.expression);
    default:
      return node;
  }
}

/** Whether a part may wait in its middle, and so cannot be moved into a function of its own. */
export function containsSuspension(text: ModuleText, range: Range): boolean {
  return /\b(?:await|yield)\b/.test(text.slice(range));
}
