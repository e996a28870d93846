import { type DiagnosticError, diagnosticToJson } from "../diagnostics/index.ts";
import { formatIdentity, type ObjectIdentity } from "../objects/index.ts";
import type { Emit } from "../events/index.ts";

/** Warns that a write is tried again and again, with the reason: else a run only seems to be slow. */
export function tellOfRetry(object: ObjectIdentity, emit: Emit): (cause: DiagnosticError) => void {
  return (cause) => {
    const [first] = cause.diagnostics;
    if (first === undefined) return;
    emit({
      type: "warning",
      ...diagnosticToJson({
        ...first,
        severity: "warning",
        summary: `${first.summary}; it is tried again`,
        subject: formatIdentity(object),
      }),
    });
  };
}
