import type { ESTree } from "rolldown/utils";
import type { Use } from "../../../resources/provisioned/index.ts";
import type { ModuleText } from "./module-text.ts";
import { isNeverProvisioned, withoutParentheses } from "./never-provisioned.ts";

/** Makes a place ask before it uses the value of an expression. */
export function checkExpression(text: ModuleText, node: ESTree.Expression, use: Use): void {
  if (isNeverProvisioned(node)) return;
  // Without parentheses a sequence would become several arguments.
  const [open, close] = node.type === "SequenceExpression" ? ["(", ")"] : ["", ""];
  const shown = text.place(withoutParentheses(node));
  text.wrap(node, `${text.call("check")}(${open}`, `${close},"${use}",${shown})`);
}

/** The text that asks for the value of a name or another expression that can be read twice. */
export function checkText(text: ModuleText, node: ESTree.Node, use: Use): string {
  return `${text.call("check")}(${text.slice(node)},"${use}",${text.place(node)})`;
}
