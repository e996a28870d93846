import { readFileSync, statSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Diagnostic, DiagnosticError } from "../../diagnostics/index.ts";
import { leadsOutside } from "../../objects/index.ts";
import { checkTypes } from "./check-types.ts";
import { instrument } from "./instrument/index.ts";
import { findUpwards } from "./find-project.ts";
import { ownFiles } from "./own-files.ts";
import { readProgramProject } from "./project.ts";

/**
 * Parses a program and lets the compiler that came with Keelson check its types; one of the project would be code of
 * the project. Nothing of the program is run, and no text of files outside of its project is shown: they belong to
 * whoever looks.
 */
export async function inspectProgram(
  path: string,
  workingFolder: string,
): Promise<readonly Diagnostic[]> {
  const given = resolve(path);
  const folder = statSync(given).isDirectory() ? given : dirname(given);
  const settings = ["keelson.json", "package.json"].map((name) => findUpwards(folder, name));
  const linked = [given, ...settings].find((file) => file !== undefined && leadsOutside(file));
  if (linked !== undefined) return [notRead(relative(workingFolder, linked))];
  const { main } = readProgramProject({ path });
  const project = dirname(settings.find((file) => file !== undefined) ?? main);
  const shown = relative(workingFolder, main);
  if (leadsOutside(main, project)) return [notRead(shown)];
  const syntax = syntaxProblems(main, shown);
  const types =
    syntax.length > 0
      ? []
      : await checkTypes({
          path,
          workingFolder,
          shownFolder: project,
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

function notRead(file: string): Diagnostic {
  return {
    code: "check.not-run",
    severity: "warning",
    summary: `${file} was not read: it leads outside of its folder`,
  };
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
