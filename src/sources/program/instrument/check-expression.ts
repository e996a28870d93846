import type { ESTree } from "rolldown/utils";
import type { Use } from "../../../resources/provisioned/index.ts";
import type { ModuleText } from "./module-text.ts";
import { isNeverProvisioned, withoutParentheses } from "./never-provisioned.ts";

/** Makes a place ask before it uses the value of an expression. */
export function checkExpression(text: ModuleText, node: ESTree.Expression, use: Use): void {
  if (!isNeverProvisioned(node)) wrapIn(text, "check", node, use);
}

function wrapIn(
  text: ModuleText,
  name: "check" | "checkIterable",
  node: ESTree.Expression,
  use: Use,
): void {
  // Without parentheses a sequence would become several arguments.
  const [open, close] = node.type === "SequenceExpression" ? ["(", ")"] : ["", ""];
  const shown = text.place(withoutParentheses(node));
  text.wrap(node, `${text.call(name)}(${open}`, `${close},"${use}",${shown})`);
}

/** Makes a place ask before it iterates. Object literals are left to it, too: they cannot be. */
export function checkIteration(text: ModuleText, node: ESTree.Expression, use: Use): void {
  const known = withoutParentheses(node);
  if (known.type === "ArrayExpression" || known.type === "Literal") return;
  wrapIn(text, "checkIterable", node, use);
}

/** The text that asks for the value of a name or another expression that can be read twice. */
export function checkText(text: ModuleText, node: ESTree.Node, use: Use): string {
  return `${text.call("check")}(${text.slice(node)},"${use}",${text.place(node)})`;
}
