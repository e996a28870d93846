import type { ESTree } from "rolldown/utils";
import type { ModuleText } from "./module-text.ts";

/** `new X(a)` becomes a call that tells where it stands: `construct(X,[a],line,column,class,…)`. */
export function rewriteNew(
  text: ModuleText,
  node: ESTree.NewExpression,
  className: string | undefined,
): void {
  const { line, column } = text.lineAndColumn(node.start);
  const inClass = className === undefined ? "void 0" : JSON.stringify(className);
  const tail = `],${line},${column},${inClass},${text.place(node.callee)})`;
  text.replace(node.start, node.callee.start, `${text.call("construct")}(`);
  const parenthesis = text.parenthesisAfter(node.callee.end);
  if (parenthesis >= node.end || text.source[parenthesis] !== "(") {
    text.replace(node.callee.end, node.end, `,[${tail}`);
    return;
  }
  text.replace(node.callee.end, parenthesis + 1, ",[");
  text.replace(node.end - 1, node.end, tail);
}
