import type { ESTree } from "rolldown/utils";
import type { ModuleText, Range } from "./module-text.ts";

type Expression = ESTree.Expression | ESTree.PrivateIdentifier;

const plainNames = new Set(["undefined", "NaN", "Infinity"]);
const plainTypes: ReadonlySet<string> = new Set<Expression["type"]>([
  "ArrayExpression",
  "ArrowFunctionExpression",
  "ClassExpression",
  "FunctionExpression",
  "ImportExpression",
  "Literal",
  "MetaProperty",
  "NewExpression",
  "ObjectExpression",
  "PrivateIdentifier",
  "ThisExpression",
  "UnaryExpression",
  "UpdateExpression",
]);

/** Whether the syntax alone shows that an expression cannot give a provisioned value. */
export function isNeverProvisioned(expression: Expression): boolean {
  if (plainTypes.has(expression.type)) return true;
  const node = withoutParentheses(expression as ESTree.Expression);
  if (node !== expression) return isNeverProvisioned(node);
  if (node.type === "Identifier") return plainNames.has(node.name);
  if (node.type === "BinaryExpression" && node.operator !== "+") return true;
  if (node.type === "TemplateLiteral") return node.expressions.every(isNeverProvisioned);
  const results = resultsOf(node);
  return results.length > 0 && results.every(isNeverProvisioned);
}

/** The expressions of which one, or all joined, are the value of a compound one. */
function resultsOf(node: ESTree.Expression): readonly Expression[] {
  if (node.type === "BinaryExpression" || node.type === "LogicalExpression") {
    return [node.left, node.right];
  }
  if (node.type === "ConditionalExpression") return [node.consequent, node.alternate];
  if (node.type === "SequenceExpression") return node.expressions.slice(-1);
  if (node.type === "AssignmentExpression") return node.operator === "=" ? [node.right] : [];
  return [];
}

/** The expression that parentheses and type annotations enclose. */
export function withoutParentheses(node: ESTree.Expression): ESTree.Expression {
  if (
    node.type === "ParenthesizedExpression" ||
    node.type === "TSAsExpression" ||
    node.type === "TSNonNullExpression" ||
    node.type === "TSSatisfiesExpression" ||
    node.type === "TSTypeAssertion"
  ) {
    return withoutParentheses(node.expression);
  }
  return node;
}

/** Whether a part may wait in its middle, and so cannot be moved into a function of its own. */
export function containsSuspension(text: ModuleText, range: Range): boolean {
  return /\b(?:await|yield)\b/.test(text.slice(range));
}
