import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  createInterpreter,
  jsonModule,
  mathModule,
  type Limits,
} from "../../src/sources/starlark/index.ts";

/** The name that the command gives to a program from its command line. */
const programName = "cmdline";

/** Runs a program and writes down what the command of go.starlark.net would. */
export function runOurs(text: string, folder = ".", limits: Partial<Limits> = {}): string {
  let output = "";
  const interpreter = createInterpreter({
    builtins: { json: jsonModule, math: mathModule },
    print: (line) => (output += `${line}\n`),
    load: (module) => ({ path: module, text: readFileSync(join(folder, module), "utf8") }),
    limits,
  });
  const { diagnostics } = interpreter.run({ path: programName, text });
  const [first] = diagnostics;
  if (first === undefined) return output;
  // The tracebacks of loaded files come first; the command does not show them.
  const traceback = first.detail?.split("\n\nTraceback").at(-1)?.replace(/^ \(/, "Traceback (");
  if (traceback !== undefined) return `${output}${traceback}\n`;
  const { file = "", start } = first.source ?? {};
  return `${output}${file}:${start?.line}:${start?.column}: ${first.summary}\n`;
}
