import type { ESTree, VisitorObject } from "rolldown/utils";
import type { Use } from "../../../resources/provisioned/index.ts";
import { isNeverProvisioned } from "./never-provisioned.ts";
import type { ModuleText } from "./module-text.ts";
import { rewriteClass } from "./rewrite-class.ts";
import { rewriteNew } from "./rewrite-new.ts";
import { LexicalClasses } from "./lexical-classes.ts";

/** What is done at each node of a module. Each node edits itself and wraps its direct children. */
export function rewriteVisitor(text: ModuleText): VisitorObject {
  const classes = new LexicalClasses((node, name) => rewriteClass(text, node, name));
  const check = (node: ESTree.Expression, use: Use): void => checkExpression(text, node, use);
  return {
    ...classes.visitor(),
    IfStatement: (node) => check(node.test, "if"),
    ConditionalExpression: (node) => check(node.test, "conditional"),
    WhileStatement: (node) => check(node.test, "while"),
    DoWhileStatement: (node) => check(node.test, "while"),
    ForStatement: (node) => {
      if (node.test !== null) check(node.test, "while");
    },
    NewExpression: (node) => rewriteNew(text, node, classes.current),
  };
}

export function checkExpression(text: ModuleText, node: ESTree.Expression, use: Use): void {
  if (isNeverProvisioned(node)) return;
  const [open, close] = node.type === "SequenceExpression" ? ["(", ")"] : ["", ""];
  text.wrap(node, `${text.call("check")}(${open}`, `${close},"${use}",${text.place(node)})`);
}
