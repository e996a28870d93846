import type { DiagnosticCodeDoc } from "./code-doc.ts";

export const checkCodes = {
  "check.not-run": {
    meaning:
      "`keelson check --no-execution` runs no code of the input, so that something of it is not known.",
    remedy: "Without the flag, the input is run and checked as a whole; read it first.",
  },
} as const satisfies Record<string, DiagnosticCodeDoc>;
