import type { ESTree } from "rolldown/utils";
import {
  type ModuleInfo,
  runtimeExpression,
  runtimeModule,
} from "../../../resources/provisioned/index.ts";
import type { ModuleText } from "./module-text.ts";

/** Brings the functions of the runtime into a module, without moving a line. */
export function addRuntime(
  text: ModuleText,
  program: ESTree.Program,
  info: ModuleInfo,
  format: "module" | "commonjs",
): void {
  const names = [...text.used];
  if (format === "module") {
    const list = names.map(([name, local]) => `${name} as ${local}`).join(", ");
    // It has to be the first import: others may run functions of this module at once.
    const start = text.source.startsWith("#!") ? text.source.indexOf("\n") + 1 : 0;
    text.edits.insert(start, `import { ${list} } from ${JSON.stringify(runtimeModule)};`);
  } else {
    const list = names.map(([name, local]) => `${name}: ${local}`).join(", ");
    text.edits.insert(directivesEnd(program), `;const { ${list} } = ${runtimeExpression};`);
  }
  // A function declaration is there from the start, before any statement has run.
  const own = `function ${text.module}() { return ${JSON.stringify(info)}; }`;
  text.edits.insert(text.source.length, `\n${own}${text.declarations}\n`);
}

/** Where the statements begin: "use strict" counts only before them. */
function directivesEnd(program: ESTree.Program): number {
  let end = program.hashbang?.end ?? 0;
  for (const statement of program.body) {
    if (!("directive" in statement)) break;
    end = statement.end;
  }
  return end;
}
