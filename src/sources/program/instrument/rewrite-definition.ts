import type { ESTree } from "rolldown/utils";
import type { ModuleText } from "./module-text.ts";

/** A class that extends another may be a resource, so it says where it is defined. */
export function rewriteDefinition(
  text: ModuleText,
  node: ESTree.Class,
  name: string | undefined,
): void {
  if (node.superClass === null) return;
  const given = name === undefined ? "void 0" : JSON.stringify(name);
  text.edits.insert(
    node.body.start + 1,
    `static{${text.call("defineClass")}(this,${given},${text.module})}`,
  );
}
