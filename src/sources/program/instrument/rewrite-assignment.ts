import type { ESTree } from "rolldown/utils";
import type { Use } from "../../../resources/provisioned/index.ts";
import { checkExpression, checkText } from "./check-expression.ts";
import { containsSuspension, isNeverProvisioned } from "./never-provisioned.ts";
import type { ModuleText } from "./module-text.ts";
import { checkDefaults, rewritePatternSource } from "./rewrite-pattern.ts";

type Assignment = ESTree.AssignmentExpression;

const logicalUses: Readonly<Record<string, Use>> = { "&&=": "and", "||=": "or", "??=": "nullish" };

export function rewriteAssignment(text: ModuleText, node: Assignment): void {
  const { left, operator, right } = node;
  const use = logicalUses[operator];
  if (left.type === "ObjectPattern" || left.type === "ArrayPattern") {
    const checks = checkDefaults(text, left);
    if (checks.length > 0) {
      text.wrap(node, `${text.call("first")}((`, `),${checks.join(",")})`);
    }
    rewritePatternSource(text, left, right);
  } else if (operator === "=") {
    if (left.type === "MemberExpression") checkTarget(text, left);
  } else if (use !== undefined) {
    rewriteLogicalAssignment(text, node, use);
  } else {
    rewriteCompound(text, node, operator.slice(0, -1));
  }
}

/** Writing to a member of a value that is not known yet would be lost. */
function checkTarget(text: ModuleText, { object }: ESTree.MemberExpression): void {
  // The names that a CommonJS module exports are found by reading its text.
  const isExports = object.type === "Identifier" && /^(?:exports|module)$/.test(object.name);
  if (object.type !== "Super" && !isExports) checkExpression(text, object, "change");
}

function rewriteCompound(text: ModuleText, node: Assignment, operator: string): void {
  const { left, right } = node;
  if (canReadTwice(text, left, right)) {
    const target = text.slice(left);
    if (operator === "+") {
      text.replace(left.end, right.start, ` = ${text.call("add")}(${target},`);
      text.edits.close(node.end, `,${text.place(node)})`);
    } else {
      const known = checkText(text, left, "arithmetic");
      text.replace(left.end, right.start, ` = ${known} ${operator} (`);
      text.edits.close(node.end, ")");
      checkExpression(text, right, "arithmetic");
    }
    return;
  }
  if (!isPublicMember(left)) return checkExpression(text, right, "arithmetic");
  const method = operator === "+" ? "add(" : `calculate("${operator}",`;
  text.edits.open(node.start, `${text.call("reference")}(`);
  replaceTarget(text, left, right.start, `).${method}`);
  text.edits.close(node.end, `,${text.place(node)})`);
}

function rewriteLogicalAssignment(text: ModuleText, node: Assignment, use: Use): void {
  const { left, operator, right } = node;
  if (left.type === "Identifier") {
    text.wrap(node, `${text.call("last")}(${checkText(text, left, use)},`, ")");
  } else if (isPublicMember(left) && !containsSuspension(text, right)) {
    const name = text.freshName();
    const got = `${name}.get("${use}",${text.place(left)})`;
    text.edits.open(node.start, `${text.call("withReference")}(`);
    const decide = `,${name}=>${got}${operator.slice(0, -1)}${name}.set(`;
    replaceTarget(text, left, right.start, decide);
    text.edits.close(node.end, "))");
  } else if (left.type === "MemberExpression" && left.object.type === "ThisExpression") {
    text.wrap(node, `${text.call("last")}(${checkText(text, left, use)},`, ")");
  }
}

/** `x++` and its like: what is counted must be known. */
export function rewriteUpdate(text: ModuleText, node: ESTree.UpdateExpression): void {
  const { argument, operator, prefix } = node;
  if (isPublicMember(argument)) {
    if (prefix) text.replace(node.start, argument.start, `${text.call("reference")}(`);
    else text.edits.open(node.start, `${text.call("reference")}(`);
    const step = `).step("${operator}",${prefix},${text.place(argument)})`;
    replaceTarget(text, argument, node.end, step);
  } else if (argument.type === "Identifier" || isOwnPrivate(argument)) {
    const known = checkText(text, argument, "arithmetic");
    text.wrap(node, `${text.call("last")}(${known},`, ")");
  }
}

/** Makes arguments of the object and the key of a target, and puts `behind` in place of the rest. */
function replaceTarget(
  text: ModuleText,
  target: ESTree.MemberExpression,
  end: number,
  behind: string,
): void {
  const { object, property } = target;
  if (target.computed) {
    text.replace(object.end, property.start, ",");
    text.replace(property.end, end, behind);
  } else {
    const key = JSON.stringify((property as ESTree.IdentifierName).name);
    text.replace(object.end, end, `,${key}${behind}`);
  }
}

function isPublicMember(node: ESTree.Node): node is ESTree.MemberExpression {
  return (
    node.type === "MemberExpression" &&
    node.object.type !== "Super" &&
    node.property.type !== "PrivateIdentifier"
  );
}

function isOwnPrivate(node: ESTree.Node): boolean {
  return (
    node.type === "MemberExpression" &&
    node.object.type === "ThisExpression" &&
    node.property.type === "PrivateIdentifier"
  );
}

/** Whether a target can stand twice in the code: names, and members of what cannot change meanwhile. */
function canReadTwice(text: ModuleText, left: ESTree.Node, right: ESTree.Expression): boolean {
  if (left.type === "Identifier") return true;
  if (left.type !== "MemberExpression" || left.computed) return false;
  const { object } = left;
  if (object.type === "ThisExpression" || object.type === "Super") return true;
  return (
    object.type === "Identifier" &&
    (isNeverProvisioned(right) || right.type === "Identifier") &&
    !/[=(`]|\+\+|--/.test(text.slice(right))
  );
}
