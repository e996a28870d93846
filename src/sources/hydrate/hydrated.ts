import type { Diagnostic } from "../../diagnostics/index.ts";
import type { FileAccess } from "./file-access.ts";
import type { RunProcess } from "./run-process.ts";

/** What a chart or a kustomization became. */
export interface Hydrated {
  /** Undefined when there are errors. */
  readonly yaml: string | undefined;
  /** Files and directories that it depends on, to be watched. */
  readonly inputs: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What running helm and kustomize needs from the machine. */
export interface HydrateTools {
  readonly files: FileAccess;
  readonly run: RunProcess;
  readonly environment: Readonly<Record<string, string>>;
  /** Where relative paths in options start, and where the command runs. */
  readonly directory: string;
  /** Paths of programs, for when they are not to be looked up on the PATH. */
  readonly programs?: Readonly<Partial<Record<"helm" | "kubectl" | "kustomize", string>>>;
}

export const timeoutMs = 120_000;

export function hydrateFailure(
  code: "hydrate.binary-missing" | "hydrate.command-failed" | "hydrate.input",
  summary: string,
  more: { readonly detail?: string; readonly hint?: string } = {},
): Hydrated {
  return {
    yaml: undefined,
    inputs: [],
    diagnostics: [{ code, severity: "error", summary, ...more }],
  };
}
