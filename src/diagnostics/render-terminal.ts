import { codeFrame } from "./code-frame.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { formatPosition } from "./source-range.ts";

/** The few styles a diagnostic is drawn with; identity functions when colour is off. */
export interface TextStyle {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
}

const plain: TextStyle = {
  bold: (text) => text,
  dim: (text) => text,
  red: (text) => text,
  yellow: (text) => text,
  cyan: (text) => text,
};

/** One diagnostic as lines for a person, without a trailing newline. */
export function renderDiagnostic(diagnostic: Diagnostic, style: TextStyle = plain): string {
  const label =
    diagnostic.severity === "error"
      ? style.bold(style.red("error"))
      : style.bold(style.yellow("warning"));
  const lines = [`${label}${style.dim(`[${diagnostic.code}]`)}: ${indentRest(diagnostic.summary)}`];
  if (diagnostic.source !== undefined) {
    lines.push(`  ${style.cyan("at")} ${indentRest(formatPosition(diagnostic.source))}`);
    lines.push(...codeFrame(diagnostic.source).map((line) => `  ${style.dim(line)}`));
  }
  if (diagnostic.detail !== undefined) lines.push(...indent(diagnostic.detail));
  if (diagnostic.hint !== undefined) {
    const [first, ...rest] = diagnostic.hint.split("\n");
    lines.push(`  ${style.cyan("hint:")} ${first ?? ""}`, ...rest.map((line) => `        ${line}`));
  }
  return lines.join("\n");
}

const mostShown = 50;

/** Several diagnostics, errors last so that they stay on the screen. A flood is cut and counted. */
export function renderDiagnostics(
  diagnostics: readonly Diagnostic[],
  style: TextStyle = plain,
): string {
  const warnings = diagnostics.filter((diagnostic) => diagnostic.severity === "warning");
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === "error");
  const shown = [...warnings.slice(0, mostShown), ...errors.slice(0, mostShown)];
  const blocks = shown.map((diagnostic) => renderDiagnostic(diagnostic, style));
  const hidden = diagnostics.length - shown.length;
  if (hidden > 0) blocks.push(style.dim(`… and ${hidden} more (--output json lists all)`));
  return blocks.join("\n");
}

/** What others wrote on several lines must not look like something else that we say. */
function indentRest(text: string): string {
  return text.replaceAll("\n", "\n    ");
}

function indent(text: string): readonly string[] {
  return text.split("\n").map((line) => (line === "" ? "" : `  ${line}`));
}
