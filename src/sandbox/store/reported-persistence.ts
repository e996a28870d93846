import { type Diagnostic, DiagnosticError } from "../../diagnostics/index.ts";
import type { Persistence } from "./persistence.ts";

/** Tells of writes that fail: of the first one, and again when one failed after others had succeeded. */
export function reportedPersistence(
  persistence: Persistence,
  onProblem: (diagnostics: readonly Diagnostic[]) => void,
): Persistence {
  let isFailing = false;
  const reported =
    <Parameters extends readonly unknown[]>(write: (...args: Parameters) => void) =>
    (...args: Parameters): void => {
      try {
        write(...args);
        isFailing = false;
      } catch (error) {
        if (!isFailing && error instanceof DiagnosticError) onProblem(error.diagnostics);
        isFailing = true;
        throw error;
      }
    };
  return { ...persistence, put: reported(persistence.put), delete: reported(persistence.delete) };
}
