import type { Diagnostic } from "./diagnostic.ts";

/** Carries diagnostics through code that can only throw: the edges of the program. */
export class DiagnosticError extends Error {
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    const first = diagnostics[0];
    super(
      first?.summary ?? "unknown failure",
      first?.cause === undefined ? {} : { cause: first.cause },
    );
    this.name = "DiagnosticError";
    this.diagnostics = diagnostics;
  }
}

/** Throws one error diagnostic. */
export function fail(diagnostic: Omit<Diagnostic, "severity">): never {
  throw new DiagnosticError([{ severity: "error", ...diagnostic }]);
}
