/**
 * The one error shape of Keelson, the closed list of its codes, and how it is shown.
 * Text becomes safe to show here, whoever wrote it: `safe-text.ts`.
 *
 * This folder knows nothing of Kubernetes, files or terminals: it turns data into text. Everything
 * that can go wrong in another folder becomes a {@link Diagnostic} with a code from `codes/`.
 */
export type { NamedObject, Diagnostic } from "./diagnostic.ts";
export { DiagnosticError, fail } from "./diagnostic-error.ts";
export type { CodeExcerpt, SourcePosition, SourceRange } from "./source-range.ts";
export { excerptOf, formatLocation, formatPosition } from "./source-range.ts";
export { diagnosticCodes } from "./codes/index.ts";
export type { DiagnosticCode } from "./codes/index.ts";
export { renderDiagnostic, renderDiagnostics } from "./render-terminal.ts";
export type { TextStyle } from "./render-terminal.ts";
export { diagnosticToJson } from "./render-json.ts";
export type { DiagnosticJson } from "./render-json.ts";
export { nearest } from "./nearest.ts";
export { shellWord } from "./shell-word.ts";
export {
  isUnsafeText,
  joinLines,
  safeLine,
  safeText,
  spellOut,
  unsafeCharacter,
} from "./safe-text.ts";
export { logPieces, plainLog } from "./log-text.ts";
