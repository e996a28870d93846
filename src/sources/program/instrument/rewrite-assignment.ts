import type { ESTree } from "rolldown/utils";
import type { Use } from "../../../resources/provisioned/index.ts";
import { checkExpression, checkText } from "./check-expression.ts";
import { isNeverProvisioned } from "./never-provisioned.ts";
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
  if (!isReferable(left)) return checkExpression(text, right, "arithmetic");
  const method = operator === "+" ? "add(" : `calculate("${operator}",`;
  text.edits.open(node.start, referenceOpening(text, left));
  replaceTarget(text, left, right.start, `).${method}`);
  text.edits.close(node.end, `,${text.place(node)})`);
}

function rewriteLogicalAssignment(text: ModuleText, node: Assignment, use: Use): void {
  const { left, operator, right } = node;
  if (left.type === "Identifier") {
    text.wrap(node, `${text.call("last")}(${checkText(text, left, use)},`, ")");
  } else if (isReferable(left)) {
    // Nothing of the program runs between the steps, so that what it awaits meanwhile cannot interfere.
    const held = text.temporary;
    text.edits.open(node.start, `${text.call("last")}(${held}=${referenceOpening(text, left)}`);
    const decided = `).decide("${use}",${text.place(left)})`;
    const set = `${held}.value${operator.slice(0, -1)}${held}.set(`;
    replaceTarget(text, left, right.start, `${decided},${set}`);
    text.edits.close(node.end, "))");
  }
}

/** `x++` and its like: what is counted must be known. */
export function rewriteUpdate(text: ModuleText, node: ESTree.UpdateExpression): void {
  const { argument, operator, prefix } = node;
  if (isReferable(argument)) {
    const opening = referenceOpening(text, argument);
    if (prefix) text.replace(node.start, argument.start, opening);
    else text.edits.open(node.start, opening);
    const step = `).step("${operator}",${prefix},${text.place(argument)})`;
    replaceTarget(text, argument, node.end, step);
  } else if (argument.type === "Identifier") {
    const known = checkText(text, argument, "arithmetic");
    text.wrap(node, `${text.call("last")}(${known},`, ")");
  }
}

function referenceOpening(text: ModuleText, target: ESTree.MemberExpression): string {
  return `${text.call(isPublicMember(target) ? "reference" : "memberReference")}(`;
}

/**
 * Makes arguments of the object and the key of a target, and puts `behind` in place of the rest. What
 * cannot be reached by a key is reached by functions.
 */
function replaceTarget(
  text: ModuleText,
  target: ESTree.MemberExpression,
  end: number,
  behind: string,
): void {
  const { object, property } = target;
  if (object.type === "Super") {
    const member = text.slice(target);
    text.replace(target.start, end, `this,()=>${member},(_,v)=>{${member}=v}${behind}`);
  } else if (property.type === "PrivateIdentifier") {
    const member = `o.#${property.name}`;
    text.replace(object.end, end, `,o=>${member},(o,v)=>{${member}=v}${behind}`);
  } else if (target.computed) {
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

/** Whether a target can be read and written apart; keys of a parent's members could not be kept. */
function isReferable(node: ESTree.Node): node is ESTree.MemberExpression {
  return node.type === "MemberExpression" && !(node.object.type === "Super" && node.computed);
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
