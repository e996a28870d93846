import type { ESTree } from "rolldown/utils";
import { ownMarker } from "../../../resources/provisioned/index.ts";
import type { ModuleText } from "./module-text.ts";
import { checkDefaults } from "./rewrite-pattern.ts";

const marker = JSON.stringify(ownMarker);

/** Marks a function as rewritten, and checks the defaults of its parameters when it starts. */
export function rewriteFunction(
  text: ModuleText,
  node: ESTree.Function | ESTree.ArrowFunctionExpression,
): void {
  const { body } = node;
  if (body === null) return;
  const checks = node.params.flatMap((parameter) => checkDefaults(text, parameter));
  if (body.type !== "BlockStatement") {
    text.wrap(body, `(${[marker, ...checks].join(",")},`, ")");
    return;
  }
  // The marker stands where a directive may: before "use strict", which stays one.
  text.edits.insert(body.start + 1, `${[marker, ...checks].join(";")};`);
}

/** A class with no function of its own is marked by an empty initialization. */
export function rewriteClass(text: ModuleText, node: ESTree.Class): void {
  const hasFunction = node.body.body.some(
    (member) => member.type === "MethodDefinition" && member.value.body !== null,
  );
  if (!hasFunction) text.edits.insert(node.body.start + 1, `static{${marker}}`);
}
