import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type Diagnostic, DiagnosticError } from "../../diagnostics/index.ts";
import { checkTypes } from "./check-types.ts";
import { instrument } from "./instrument/index.ts";
import { ownFiles } from "./own-files.ts";
import { readProgramProject } from "./project.ts";

/**
 * Parses a program and lets the compiler that came with Keelson check its types; one of the project would be code of
 * the project. Nothing of the program is run.
 */
export async function inspectProgram(
  path: string,
  workingFolder: string,
): Promise<readonly Diagnostic[]> {
  const { main } = readProgramProject({ path });
  const shown = relative(workingFolder, main);
  const syntax = syntaxProblems(main, shown);
  const types =
    syntax.length > 0
      ? []
      : await checkTypes({
          path,
          workingFolder,
          compilerFrom: [fileURLToPath(ownFiles().library)],
        });
  return [
    {
      code: "check.not-run",
      severity: "warning",
      summary: `${shown} was not run: its resources are not known`,
    },
    ...syntax,
    ...types,
  ];
}

function syntaxProblems(main: string, shown: string): readonly Diagnostic[] {
  try {
    instrument(readFileSync(main, "utf8"), shown, shown);
    return [];
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostics;
    throw error;
  }
}
