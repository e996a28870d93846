import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { DiagnosticError, formatPosition } from "../../diagnostics/index.ts";
import type { Diagnostic, SourceRange } from "../../diagnostics/index.ts";
import { exportDiagnostic, importDiagnostic } from "./import-problem.ts";
import type { LoadedModules } from "./loaded-modules.ts";

const mostFrames = 5;
const mostReasons = 5;

/** What a program threw, in the terms of its own source. */
export function thrownDiagnostics(error: unknown, modules: LoadedModules): readonly Diagnostic[] {
  if (error instanceof DiagnosticError) return error.diagnostics;
  if (!(error instanceof Error)) {
    return [
      {
        code: "program.threw",
        severity: "error",
        summary: `The program threw ${inspect(error, { breakLength: Infinity })}`,
        hint: "Throw an Error, which knows where it was made",
      },
    ];
  }
  const failedImport = importDiagnostic(error, modules) ?? exportDiagnostic(error, modules);
  if (failedImport !== undefined) return [failedImport];
  const [first, ...outer] = placesOf(error, modules);
  const detail = [
    ...outer.slice(0, mostFrames).map((each) => `called at ${formatPosition(each)}`),
    ...reasonsOf(error, modules),
  ];
  return [
    {
      code: "program.threw",
      severity: "error",
      summary: `The program threw ${error.name}: ${error.message}`,
      ...(detail.length === 0 ? {} : { detail: detail.join("\n") }),
      ...(first === undefined ? {} : { source: first }),
    },
  ];
}

/** What led to an error, as far as the error says: its cause, and those that it stands for. */
function reasonsOf(error: Error, modules: LoadedModules): readonly string[] {
  // What is added while a set is gone through has its turn, and nothing has it twice.
  const reasons = new Set<unknown>([error]);
  for (const each of reasons) {
    if (reasons.size > mostReasons || !(each instanceof Error)) continue;
    if (each instanceof AggregateError) {
      for (const inner of each.errors as readonly unknown[]) reasons.add(inner);
    }
    if (each.cause !== undefined) reasons.add(each.cause);
  }
  return [...reasons]
    .slice(1, 1 + mostReasons)
    .map((each) => `because of ${reasonText(each, modules)}`);
}

function reasonText(reason: unknown, modules: LoadedModules): string {
  if (!(reason instanceof Error)) return inspect(reason, { breakLength: Infinity });
  const [place] = placesOf(reason, modules);
  const at = place === undefined ? "" : ` at ${formatPosition(place)}`;
  return `${reason.name}: ${reason.message}${at}`;
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
