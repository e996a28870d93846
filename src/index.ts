/** What programs import from `keelson`. */
export type { Diagnostic, DiagnosticCode } from "./diagnostics/index.ts";
export { DiagnosticError } from "./diagnostics/index.ts";
