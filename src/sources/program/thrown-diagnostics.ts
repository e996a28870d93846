import { fileURLToPath } from "node:url";
import { DiagnosticError, formatPosition } from "../../diagnostics/index.ts";
import type { Diagnostic, SourceRange } from "../../diagnostics/index.ts";
import { exportDiagnostic, importDiagnostic } from "./import-problem.ts";
import type { LoadedModules } from "./loaded-modules.ts";

const mostFrames = 5;

/** What a program threw, in the terms of its own source. */
export function thrownDiagnostics(error: unknown, modules: LoadedModules): readonly Diagnostic[] {
  if (error instanceof DiagnosticError) return error.diagnostics;
  if (!(error instanceof Error)) {
    return [
      {
        code: "program.threw",
        severity: "error",
        summary: `The program threw ${JSON.stringify(error) ?? String(error)}`,
        hint: "Throw an Error, which knows where it was made",
      },
    ];
  }
  const failedImport = importDiagnostic(error, modules) ?? exportDiagnostic(error, modules);
  if (failedImport !== undefined) return [failedImport];
  const places = placesOf(error, modules);
  const [first, ...outer] = places;
  return [
    {
      code: "program.threw",
      severity: "error",
      summary: `The program threw ${error.name}: ${error.message}`,
      ...(outer.length === 0
        ? {}
        : {
            detail: outer
              .slice(0, mostFrames)
              .map((each) => `called at ${formatPosition(each)}`)
              .join("\n"),
          }),
      ...(first === undefined ? {} : { source: first }),
    },
  ];
}

/** The frames of a stack that are the user's own code, innermost first. */
export function placesOf(error: Error, modules: LoadedModules): readonly SourceRange[] {
  const places: SourceRange[] = [];
  for (const match of (error.stack ?? "").matchAll(
    /\(?(file:\/\/[^\s)]+|\/[^\s():]+):(\d+):(\d+)\)?$/gm,
  )) {
    const [, address = "", line, column] = match;
    const file = address.startsWith("file:") ? fileURLToPath(address) : address;
    const place = modules.placeAt(file, { line: Number(line), column: Number(column) });
    if (place !== undefined) places.push(place);
  }
  return places;
}
