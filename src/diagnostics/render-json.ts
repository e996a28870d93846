import type { DiagnosticCode } from "./codes/index.ts";
import type { NamedObject, Diagnostic, DiagnosticSeverity } from "./diagnostic.ts";

/** A diagnostic as `--output json` prints it: the same fields, without excerpt and cause. */
export interface DiagnosticJson {
  readonly code: DiagnosticCode;
  readonly severity: DiagnosticSeverity;
  readonly summary: string;
  readonly detail?: string;
  readonly hint?: string;
  readonly subject?: string;
  readonly object?: NamedObject;
  readonly objects?: readonly NamedObject[];
  readonly source?: {
    readonly file: string;
    readonly line: number;
    readonly column: number;
    readonly endLine?: number;
    readonly endColumn?: number;
  };
}

export function diagnosticToJson(diagnostic: Diagnostic): DiagnosticJson {
  const { code, severity, summary, detail, hint, subject, object, objects, source } = diagnostic;
  return {
    code,
    severity,
    summary,
    ...(detail === undefined ? {} : { detail }),
    ...(hint === undefined ? {} : { hint }),
    ...(subject === undefined ? {} : { subject }),
    ...(object === undefined ? {} : { object }),
    ...(objects === undefined ? {} : { objects }),
    ...(source === undefined
      ? {}
      : {
          source: {
            file: source.file,
            line: source.start.line,
            column: source.start.column,
            ...(source.end === undefined
              ? {}
              : { endLine: source.end.line, endColumn: source.end.column }),
          },
        }),
  };
}
