import type { ESTree } from "rolldown/utils";
import { checkExpression } from "./check-expression.ts";
import { containsSuspension } from "./never-provisioned.ts";
import type { ModuleText } from "./module-text.ts";
import { callOpening } from "./rewrite-call.ts";

type Link = ESTree.CallExpression | ESTree.MemberExpression;

/**
 * An optional chain without calls only asks at each `?.`. With calls, what follows a `?.` becomes
 * a function of its value, so that the calls can be rewritten and still be left out altogether:
 * `a?.b(c)` is `optional(a, …, (v) => call(v.b, v, …, c))`.
 */
export function rewriteChain(
  text: ModuleText,
  node: ESTree.ChainExpression,
  done: Set<ESTree.Node>,
): void {
  let links: Link[] = [];
  for (let link = linkOf(node.expression); link !== undefined; link = linkOf(headOf(link))) {
    links.push(link);
    if (link.type === "CallExpression") done.add(link);
    if (!link.optional) continue;
    rewriteSegment(text, link, links);
    links = [];
  }
  // What stands before the first `?.` is no part of the chain's own business.
  for (const link of links) done.delete(link);
}

/** One `?.` and what follows it up to the next one; `links` are from the outside in. */
function rewriteSegment(text: ModuleText, first: Link, links: readonly Link[]): void {
  const head = headOf(first);
  const hasCalls = links.some((link) => link.type === "CallExpression");
  const [outermost = first] = links;
  const rest = { start: head.end, end: outermost.end };
  if (!hasCalls || head.type === "Super" || containsSuspension(text, rest)) {
    if (head.type !== "Super") checkExpression(text, head, "optional");
    return;
  }
  const name = text.freshName();
  const isMethod =
    first.type === "CallExpression" &&
    head.type === "MemberExpression" &&
    head.object.type !== "Super" &&
    head.property.type !== "PrivateIdentifier";
  const opening = isMethod
    ? `${text.call("optionalMethod")}(${text.call("method")}(`
    : `${text.call("optional")}(`;
  text.edits.open(first.start, opening);
  text.edits.close(outermost.end, ")");
  const openings = links
    .filter((link) => link.type === "CallExpression" && link !== first)
    .map((link) => callOpening(text, link as ESTree.CallExpression, { name, head }) ?? "");
  const before = `,${text.place(head)},${name}=>${openings.join("")}`;
  if (first.type === "MemberExpression") {
    const bracket = first.computed ? "[" : ".";
    text.replace(head.end, first.property.start, `${before}${name}${bracket}`);
  } else if (isMethod) {
    text.replaceMember(head, ",", ")");
    const called = `${text.call("callMethod")}(${name},${text.place(head)}`;
    text.replaceCallOpening(first, `${before}${called}`);
  } else {
    const called = `${text.call("call")}(${name},void 0,${text.place(head)}`;
    text.replaceCallOpening(first, `${before}${called}`);
  }
}

function headOf(link: Link): ESTree.Expression | ESTree.Super {
  return link.type === "CallExpression" ? link.callee : link.object;
}

function linkOf(node: ESTree.Node): Link | undefined {
  let inner = node;
  while (inner.type === "TSNonNullExpression") inner = inner.expression;
  return inner.type === "CallExpression" || inner.type === "MemberExpression" ? inner : undefined;
}
