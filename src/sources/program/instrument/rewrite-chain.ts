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
  let asMethod = false;
  for (let link = linkOf(node.expression); link !== undefined; link = linkOf(headOf(link))) {
    links.push(link);
    if (link.type === "CallExpression") done.add(link);
    if (!link.optional) continue;
    asMethod = rewriteSegment(text, link, links, asMethod);
    links = [];
  }
  // What stands before the first `?.` is no part of the chain's own business.
  for (const link of links) done.delete(link);
}

/**
 * Rewrites one `?.` and what follows it up to the next one; `links` are from the outside in. With
 * `asMethod` the outermost of them is to be called next: so the segment gives it together with its
 * object. The result says whether the segment before has to do so.
 */
function rewriteSegment(
  text: ModuleText,
  first: Link,
  links: readonly Link[],
  asMethod: boolean,
): boolean {
  const head = headOf(first);
  const hasCalls = links.some((link) => link.type === "CallExpression");
  const [outermost = first] = links;
  if ((!hasCalls && !asMethod) || isLeftAlone(text, head, outermost)) {
    if (head.type !== "Super") checkExpression(text, head, "optional");
    return false;
  }
  const name = text.freshName();
  const method = first.type === "CallExpression" ? methodOf(head) : undefined;
  const isInChain = method !== undefined && hasOptional(method);
  const opening = method === undefined ? "optional" : "optionalMethod";
  text.edits.open(first.start, `${text.call(opening)}(`);
  if (method !== undefined && !isInChain) {
    text.edits.open(method.start, `${text.call("method")}(`);
    text.replaceMember(method, ",", ")");
  }
  text.edits.close(outermost.end, ")");
  const openings = links
    .filter((link) => link.type === "CallExpression" && link !== first)
    .map((link) => callOpening(text, link as ESTree.CallExpression, { name, head }) ?? "");
  if (asMethod) openings.unshift(`${text.call("method")}(`);
  const before = `,${text.place(head)},${name}=>${openings.join("")}`;
  if (first.type === "CallExpression") {
    const place = text.place(head);
    const called =
      method === undefined
        ? `${text.call("call")}(${name},void 0,${place}`
        : `${text.call("callMethod")}(${name},${place}`;
    text.replaceCallOpening(first, `${before}${called}`);
  } else if (asMethod && first === outermost) {
    text.replaceMember(first, `${before}${name},`, ")");
  } else {
    text.replace(head.end, first.property.start, `${before}${name}${first.computed ? "[" : "."}`);
  }
  if (asMethod && first !== outermost && outermost.type === "MemberExpression") {
    text.replaceMember(outermost, ",", ")");
  }
  return isInChain;
}

/** What waits in its middle cannot become a function, and what has no value cannot be handed on. */
function isLeftAlone(
  text: ModuleText,
  head: ESTree.Expression | ESTree.Super,
  outermost: Link,
): boolean {
  return head.type === "Super" || containsSuspension(text, outermost);
}

/** What is called, when it is a method that can be read by its key. */
function methodOf(head: ESTree.Expression | ESTree.Super): ESTree.MemberExpression | undefined {
  const member = linkOf(head);
  return member?.type === "MemberExpression" &&
    member.object.type !== "Super" &&
    member.property.type !== "PrivateIdentifier"
    ? member
    : undefined;
}

function hasOptional(object: ESTree.Node): boolean {
  for (let link = linkOf(object); link !== undefined; link = linkOf(headOf(link))) {
    if (link.optional) return true;
  }
  return false;
}

function headOf(link: Link): ESTree.Expression | ESTree.Super {
  return link.type === "CallExpression" ? link.callee : link.object;
}

function linkOf(node: ESTree.Node): Link | undefined {
  let inner = node;
  while (inner.type === "TSNonNullExpression") inner = inner.expression;
  return inner.type === "CallExpression" || inner.type === "MemberExpression" ? inner : undefined;
}
