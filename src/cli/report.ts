import {
  type Diagnostic,
  DiagnosticError,
  diagnosticToJson,
  renderDiagnostics,
} from "../diagnostics/index.ts";
import type { CliContext } from "./context.ts";
import { kptDiagnosticLines } from "./views/kpt-lines.ts";
import type { OutputFormat } from "./output-flag.ts";

/** Shows diagnostics where the chosen output has its place for them. */
export function report(
  context: CliContext,
  diagnostics: readonly Diagnostic[],
  output: OutputFormat,
): void {
  if (diagnostics.length === 0) return;
  if (output === "json") {
    for (const diagnostic of diagnostics)
      context.process.stdout.write(`${diagnosticEvent(diagnostic)}\n`);
  } else {
    if (output === "kpt-json")
      for (const line of kptDiagnosticLines(diagnostics)) context.process.stdout.write(line);
    context.process.stderr.write(`${renderDiagnostics(diagnostics, context.style.stderr)}\n`);
  }
}

/** A diagnostic as one line of JSON, of the same shape as the events of a run. */
export function diagnosticEvent(diagnostic: Diagnostic): string {
  const timestamp = new Date().toISOString();
  return JSON.stringify({
    timestamp,
    type: eventType(diagnostic),
    ...diagnosticToJson(diagnostic),
  });
}

/** Input that is wrong is told apart from a run that could not be. */
function eventType({ code, severity }: Diagnostic): "validation" | "error" | "warning" {
  if (severity === "warning") return "warning";
  return /^(?:objects|schema)\.|^live\.(?:invalid-|cycle$)/.test(code) ? "validation" : "error";
}

/** Anything thrown becomes diagnostics; what is not one is a defect, said without its stack. */
export function diagnosticsOf(error: unknown, debug: boolean): readonly Diagnostic[] {
  if (error instanceof DiagnosticError) return error.diagnostics;
  const refused = systemRefusal(error);
  if (refused !== undefined) return [refused];
  const message = error instanceof Error ? error.message : String(error);
  return [
    {
      code: "cli.internal",
      severity: "error",
      summary: `Keelson failed unexpectedly: ${message}`,
      detail: debug && error instanceof Error ? error.stack : undefined,
      hint: debug
        ? undefined
        : "this is a defect of Keelson; run again with KEELSON_DEBUG=1 and report what it prints",
      cause: error,
    },
  ];
}

/** What the system refuses, and what to do about it. */
const remedies: Readonly<Partial<Record<string, string>>> = {
  ENOSPC: "make room on that disk, then try again",
  EDQUOT: "make room within your quota, then try again",
  EROFS: "use a folder that can be written",
  EACCES: "use a file or folder that you may read and write",
  EPERM: "use a file or folder that you may read and write",
  EIO: "look after that disk: it does not read or write what it is asked to",
  EISDIR: "a folder is in the place of a file: name a file, or move the folder away",
  ENOTDIR: "a file is in the place of a folder: name a folder, or move the file away",
  ELOOP: "these links lead to each other: name what they were to lead to",
  EMFILE: "raise the limit of open files (ulimit -n), then try again",
  ENFILE: "end programs that hold many files open, then try again",
};

/** A disk that is full is not a defect of ours. */
function systemRefusal(error: unknown): Diagnostic | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = "", message } = error as NodeJS.ErrnoException;
  const hint = remedies[code];
  if (hint === undefined) return undefined;
  return {
    code: "cli.system",
    severity: "error",
    summary: `the system refused: ${message}`,
    hint,
    cause: error,
  };
}
