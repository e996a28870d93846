import type { ESTree } from "rolldown/utils";
import { checkExpression, checkIteration } from "./check-expression.ts";
import type { ModuleText } from "./module-text.ts";

/** Taking a list apart iterates over it, and what a rest takes must be known to have members. */
export function rewritePatternSource(
  text: ModuleText,
  pattern: ESTree.Node,
  source: ESTree.Expression,
): void {
  if (pattern.type === "ArrayPattern") checkIteration(text, source, "destructure");
  else if (pattern.type === "ObjectPattern") {
    const hasRest = pattern.properties.some(({ type }) => type === "RestElement");
    if (hasRest) checkExpression(text, source, "rest");
  }
}

/**
 * The checks for all defaults in a pattern. A default applies to undefined, which a provisioned
 * value may turn out to be: so after the pattern has done its work, the names must hold none.
 */
export function checkDefaults(text: ModuleText, pattern: ESTree.Node): string[] {
  if (pattern.type === "AssignmentPattern") {
    const { left } = pattern;
    const inner = checkDefaults(text, left);
    if (!canRead(left)) return inner;
    const name = text.slice(withoutType(left));
    return [`${text.call("check")}(${name},"default",${text.place(pattern)})`, ...inner];
  }
  return partsOf(pattern).flatMap((part) => checkDefaults(text, part));
}

function partsOf(pattern: ESTree.Node): readonly ESTree.Node[] {
  if (pattern.type === "ObjectPattern") {
    return pattern.properties.map((property) =>
      property.type === "RestElement" ? property.argument : property.value,
    );
  }
  if (pattern.type === "ArrayPattern") {
    return pattern.elements.filter((element) => element !== null);
  }
  if (pattern.type === "RestElement") return [pattern.argument];
  return pattern.type === "TSParameterProperty" ? [pattern.parameter] : [];
}

function canRead(target: ESTree.Node): boolean {
  if (target.type === "Identifier") return true;
  return (
    target.type === "MemberExpression" &&
    !target.computed &&
    (target.object.type === "Identifier" || target.object.type === "ThisExpression")
  );
}

/** A name in a parameter list may carry its type within its range. */
function withoutType(target: ESTree.Node): { readonly start: number; readonly end: number } {
  if (target.type !== "Identifier") return target;
  return { start: target.start, end: target.start + target.name.length };
}

/** Declarations check their defaults by a further declaration, which may stand everywhere. */
export function rewriteDeclaration(
  text: ModuleText,
  node: ESTree.VariableDeclaration,
  isExported: boolean,
): void {
  const checks: string[] = [];
  for (const { id, init } of node.declarations) {
    if (init === null) continue;
    checks.push(...checkDefaults(text, id));
    rewritePatternSource(text, id, init);
  }
  const last = node.declarations.at(-1);
  if (checks.length === 0 || last === undefined) return;
  if (isExported) text.edits.insert(node.end, `;${checks.join(";")};`);
  else text.edits.insert(last.end, `,${text.freshName()}=[${checks.join(",")}]`);
}

/** Loops over a list check the defaults of each item at the start of their body. */
export function rewriteLoop(
  text: ModuleText,
  node: ESTree.ForOfStatement | ESTree.ForInStatement,
): void {
  if (node.type === "ForOfStatement") checkIteration(text, node.right, "loop");
  else checkExpression(text, node.right, "keys");
  const pattern =
    node.left.type === "VariableDeclaration" ? node.left.declarations[0]?.id : node.left;
  const checks = pattern === undefined ? [] : checkDefaults(text, pattern);
  if (checks.length > 0) insertAtStart(text, node.body, checks);
}

export function insertAtStart(
  text: ModuleText,
  body: ESTree.Statement,
  statements: readonly string[],
): void {
  const code = `${statements.join(";")};`;
  if (body.type === "BlockStatement") text.edits.insert(body.start + 1, code);
  else text.wrap(body, `{${code}`, "}");
}
