import type { ESTree } from "rolldown/utils";
import { ownMark } from "../../../resources/provisioned/index.ts";
import type { ModuleText } from "./module-text.ts";
import { checkDefaults } from "./rewrite-pattern.ts";

/**
 * Marks a function as rewritten, and checks the defaults of its parameters when it starts.
 * The text of a method begins at `start`, with its name.
 */
export function rewriteFunction(
  text: ModuleText,
  node: ESTree.Function | ESTree.ArrowFunctionExpression,
  start: number,
): void {
  const { body } = node;
  if (body === null) return;
  const mark = ownMark(text.key, start, node.end);
  const checks = node.params.flatMap((parameter) => checkDefaults(text, parameter));
  if (body.type !== "BlockStatement") {
    text.wrap(body, `(${[mark, ...checks].join(",")},`, ")");
    return;
  }
  // The marker stands where a directive may: before "use strict", which stays one.
  text.edits.insert(body.start + 1, `${[mark, ...checks].join(";")};`);
}

/** A class is marked by an initialization that does nothing. */
export function rewriteClass(text: ModuleText, node: ESTree.Class): void {
  const mark = ownMark(text.key, node.start, node.end);
  text.edits.insert(node.body.start + 1, `static{${mark}}`);
}
