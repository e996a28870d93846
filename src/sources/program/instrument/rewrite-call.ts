import type { ESTree } from "rolldown/utils";
import { containsSuspension, withoutParentheses } from "./never-provisioned.ts";
import type { ModuleText } from "./module-text.ts";

// These are part of the language or of the module system rather than functions.
const leftAlone = new Set(["eval", "require"]);

/**
 * `o.m(a)` becomes `apply(guard(o.m, o, …), o, [a])`: nothing stands between the caller and a
 * function of a program, so that it can go as deep as without.
 */
export function rewriteCall(text: ModuleText, node: ESTree.CallExpression): void {
  const opening = callOpening(text, node, undefined);
  if (opening !== undefined) text.edits.open(node.start, opening);
}

/**
 * Rewrites a call except for what has to stand before it, which is given back: inside an optional
 * chain that is not where the call begins. `name` stands for the beginning of the chain there.
 */
export function callOpening(
  text: ModuleText,
  node: ESTree.CallExpression,
  chain: { readonly name: string; readonly head: ESTree.Node } | undefined,
): string | undefined {
  const place = text.place(node.callee);
  // Parentheses around a method do not take its object away.
  const callee = node.callee.type === "Super" ? node.callee : withoutParentheses(node.callee);
  if (callee.type === "Super" || callee.type === "ChainExpression") return undefined;
  if (callee.type === "Identifier" && leftAlone.has(callee.name)) return undefined;
  if (callee.type !== "MemberExpression") {
    return guardedOpening(text, node, "void 0");
  }
  const { object } = callee;
  const self = chain?.head === object ? chain.name : readableTwice(text, object);
  if (self !== undefined) {
    return guardedOpening(text, node, self);
  }
  if (callee.property.type === "PrivateIdentifier") return undefined;
  text.replaceMember(callee, ",", ")");
  text.replaceCallOpening(node, `,${place}`);
  if (callee === node.callee) return `${text.call("callMethod")}(${text.call("method")}(`;
  text.edits.open(callee.start, `${text.call("method")}(`);
  return `${text.call("callMethod")}(`;
}

/** Stacks show the place of `apply`, which is that of the call. */
function guardedOpening(text: ModuleText, node: ESTree.CallExpression, self: string): string {
  text.replaceToParenthesis(node, `,${self},${text.place(node.callee)}),${self},[`);
  text.edits.insert(node.end - 1, "]");
  return `${text.call("apply")}(${text.call("guard")}(`;
}

/** The text of an expression that gives the same when it is evaluated twice, at once. */
function readableTwice(text: ModuleText, object: ESTree.Node): string | undefined {
  if (object.type === "Identifier") return object.name;
  if (object.type === "ThisExpression" || object.type === "Super") return "this";
  return undefined;
}

/** `super(a)` keeps its form; its arguments are looked at when the parent can be named. */
export function rewriteSuper(
  text: ModuleText,
  node: ESTree.CallExpression,
  parent: ESTree.Expression | null | undefined,
): void {
  const isNameable =
    parent?.type === "Identifier" ||
    (parent?.type === "MemberExpression" &&
      !parent.computed &&
      parent.object.type === "Identifier");
  if (!isNameable || node.arguments.length === 0 || containsSuspension(text, node)) return;
  const opening = `(...${text.call("superArguments")}(${text.slice(parent)},[`;
  text.replace(node.callee.end, text.parenthesisAfter(node.callee.end) + 1, opening);
  text.replace(node.end - 1, node.end, `],${text.place(node)}))`);
}
