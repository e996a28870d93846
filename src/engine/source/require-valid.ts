import { DiagnosticError } from "../../diagnostics/index.ts";
import { closeSource, type Source } from "./read-source.ts";

/** Throws everything that is wrong with a source, and ends what runs for it. */
export async function requireValid(source: Source): Promise<void> {
  if (!source.diagnostics.some(({ severity }) => severity === "error")) return;
  await closeSource(source);
  throw new DiagnosticError(source.diagnostics);
}
