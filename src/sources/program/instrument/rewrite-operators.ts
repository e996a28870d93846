import type { ESTree } from "rolldown/utils";
import type { Use } from "../../../resources/provisioned/index.ts";
import { checkExpression } from "./check-expression.ts";
import type { ModuleText } from "./module-text.ts";
import { isNeverProvisioned } from "./never-provisioned.ts";

const comparisons = new Set(["==", "!=", "===", "!==", "<", "<=", ">", ">="]);
const logicalUses = { "&&": "and", "||": "or", "??": "nullish" } as const satisfies Record<
  string,
  Use
>;

export function rewriteBinary(
  text: ModuleText,
  node: ESTree.BinaryExpression | ESTree.PrivateInExpression,
): void {
  const { left, operator, right } = node;
  if (operator === "+") {
    if (isNeverProvisioned(left) && isNeverProvisioned(right)) return;
    // Both sides are arguments of one call: only the operator between them changes.
    text.wrap(node, `${text.call("add")}(`, `,${text.place(node)})`);
    text.replace(left.end, right.start, ",");
    return;
  }
  const use: Use =
    operator === "in" || operator === "instanceof"
      ? operator
      : comparisons.has(operator)
        ? "compare"
        : "arithmetic";
  if (left.type !== "PrivateIdentifier") checkExpression(text, left, use);
  checkExpression(text, right, use);
}

export function rewriteLogical(text: ModuleText, node: ESTree.LogicalExpression): void {
  checkExpression(text, node.left, logicalUses[node.operator]);
}

export function rewriteUnary(text: ModuleText, node: ESTree.UnaryExpression): void {
  const { operator, argument } = node;
  switch (operator) {
    case "!":
      return checkExpression(text, argument, "not");
    case "+":
    case "-":
    case "~":
      return checkExpression(text, argument, "arithmetic");
    case "typeof":
      return rewriteTypeof(text, node);
    case "delete":
      if (argument.type === "MemberExpression" && argument.object.type !== "Super") {
        checkExpression(text, argument.object, "change");
      }
      return;
    case "void":
  }
}

/** The type of a name that does not exist can be asked for, but the name cannot be read. */
function rewriteTypeof(text: ModuleText, node: ESTree.UnaryExpression): void {
  const { argument } = node;
  if (argument.type !== "Identifier") return checkExpression(text, argument, "typeof");
  if (isNeverProvisioned(argument)) return;
  const asked = `typeof ${argument.name}=="function"&&${text.call("check")}(${argument.name},"typeof",${text.place(argument)})`;
  text.wrap(node, `${text.call("last")}(${asked},`, ")");
}
