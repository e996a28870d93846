import type { Diagnostic } from "../../diagnostics/index.ts";
import type { ProgramProject } from "./project.ts";

export function timeoutDiagnostic({ main }: ProgramProject, timeoutMs: number): Diagnostic {
  return {
    code: "program.timeout",
    severity: "error",
    summary: `The program ${main} was still running after ${timeoutMs / 1000} seconds`,
    hint: "Look for an endless loop, or a server or timer that it leaves open",
  };
}

export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, "code") === "ERR_WORKER_OUT_OF_MEMORY";
}

export function memoryDiagnostic({ main }: ProgramProject): Diagnostic {
  return {
    code: "program.unfinished",
    severity: "error",
    summary: `The program ${main} used up its memory`,
    hint: "Look for a loop that keeps what it makes",
  };
}

export function stoppedDiagnostic({ main }: ProgramProject): Diagnostic {
  return {
    code: "program.stopped",
    severity: "error",
    summary: `The evaluation of ${main} was interrupted`,
  };
}

export function exitedDiagnostic({ main }: ProgramProject): Diagnostic {
  return {
    code: "program.unfinished",
    severity: "error",
    summary: `The program ${main} ended itself before it was evaluated`,
    hint: "Let it not end the process; a program is over when nothing is left to run",
  };
}

export function goneDiagnostic(): Diagnostic {
  return {
    code: "program.unfinished",
    severity: "error",
    summary: "The program ended while its values were still needed",
    hint: "Let functions given to output().map not end the process",
  };
}
