import { DiagnosticError, type Diagnostic, type DiagnosticCode } from "../../diagnostics/index.ts";
import type { CallFrame } from "./evaluate/thread.ts";
import { isStackOverflow, LimitError } from "./evaluation-error.ts";
import { formatPlace } from "./syntax/position.ts";
import type { StarlarkSyntaxError } from "./syntax/syntax-error.ts";
import { formatTraceback, sourceRangeOf } from "./traceback.ts";

/** A file could not be run. It carries what to tell the user, and what to tell the loading file. */
export class RunFailure extends Error {
  readonly diagnostics: readonly Diagnostic[];

  constructor(message: string, diagnostics: readonly Diagnostic[]) {
    super(message);
    this.name = "RunFailure";
    this.diagnostics = diagnostics;
  }
}

/** The texts of the files that were read, for code frames. */
export type SourceTexts = ReadonlyMap<string, string>;

export function syntaxFailure(
  code: "starlark.syntax" | "starlark.invalid-program",
  errors: readonly StarlarkSyntaxError[],
  texts: SourceTexts,
): RunFailure {
  const [first] = errors;
  const message = first === undefined ? "" : `${formatPlace(first.position)}: ${first.message}`;
  return new RunFailure(
    message,
    errors.map((error) => ({
      code,
      severity: "error",
      summary: error.message,
      source: sourceRangeOf(error.position, texts.get(error.position.file)),
    })),
  );
}

/** Whatever was thrown while a program ran, together with the calls it was thrown in. */
export function evaluationFailure(
  error: unknown,
  stack: readonly CallFrame[],
  texts: SourceTexts,
): RunFailure {
  const message = messageOf(error);
  const detail = formatTraceback(stack, message);
  const position = stack.findLast((frame) => frame.position !== undefined)?.position;
  const source =
    position === undefined ? undefined : sourceRangeOf(position, texts.get(position.file));
  const inner = innerDiagnostics(error);
  if (inner !== undefined) {
    return new RunFailure(
      message,
      inner.map((diagnostic) => ({
        ...diagnostic,
        source: diagnostic.source ?? source,
        detail: [diagnostic.detail, detail].filter((part) => part !== undefined).join("\n\n"),
      })),
    );
  }
  return new RunFailure(message, [
    { code: codeOf(error), severity: "error", summary: message, detail, source, cause: error },
  ]);
}

/** A failure of a loaded file, or one that a builtin of the host has already described. */
function innerDiagnostics(error: unknown): readonly Diagnostic[] | undefined {
  if (error instanceof DiagnosticError) return error.diagnostics;
  if (!(error instanceof Error) || error.cause === undefined) return undefined;
  return error.cause instanceof RunFailure
    ? error.cause.diagnostics
    : innerDiagnostics(error.cause);
}

function codeOf(error: unknown): DiagnosticCode {
  return error instanceof LimitError || isStackOverflow(error)
    ? "starlark.limit"
    : "starlark.failed";
}

function messageOf(error: unknown): string {
  if (isStackOverflow(error)) return "Starlark computation cancelled: nested too deep";
  return error instanceof Error ? error.message : String(error);
}
