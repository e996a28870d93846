import { type Diagnostic, DiagnosticError } from "../../diagnostics/index.ts";

/** What was prepared does not fit what is there. */
const noSuchTable = 1;
const busy = 5;
const full = 13;
const corrupt = 11;
const notADatabase = 26;
const shortRead = 522;
const corruptDisk = 8458;
/** Not permitted, read-only, an error of the disk, cannot be opened. */
const unusable: readonly number[] = [3, 8, 10, 14];

/**
 * What is wrong with the file of a sandbox's data, for whoever must mend it: what is safe, and what to do. Errors
 * that say nothing of the file are given back as they are.
 */
export function dataProblem(error: unknown, doing: "opening" | "writing", file: string): unknown {
  if (error instanceof DiagnosticError) return error;
  const diagnostic = describe(error, doing, file);
  return diagnostic === undefined ? error : new DiagnosticError([diagnostic]);
}

function describe(error: unknown, doing: string, file: string): Diagnostic | undefined {
  const about = `${doing} the sandbox's data ${file}`;
  const severity = "error";
  const cause = error;
  const code = sqliteCode(error);
  const system = (error as NodeJS.ErrnoException).code;
  if (code === full || system === "ENOSPC" || system === "EDQUOT")
    return {
      code: "sandbox.disk-full",
      severity,
      summary: `${about}: there is no space left on its disk`,
      detail: "Nothing of this write was kept. All that was written before is safe.",
      hint: "make room on that disk, then try again",
      cause,
    };
  if (code === busy)
    return {
      code: "sandbox.data-in-use",
      severity,
      summary: `${about}: another process holds it`,
      hint: "Wait until the other command has ended, or run `keelson sandbox` beside them: several commands can use a sandbox that is served.",
      cause,
    };
  const isDamaged =
    code === notADatabase ||
    code === corrupt ||
    isCutOff(error) ||
    (code === noSuchTable && doing === "opening");
  if (isDamaged) return damagedData(`${about}: it is damaged, or not a sandbox's data`, cause);
  // What the system refuses: no right, another kind of file in its place, a link to nowhere.
  const { syscall } = error as NodeJS.ErrnoException;
  if (code === undefined ? syscall === undefined : !unusable.includes(code)) return undefined;
  return {
    code: "sandbox.data-unusable",
    severity,
    summary: `${about}: ${(error as Error).message}`,
    detail: "Nothing was changed.",
    hint: "Make the file and its folder writable, or set XDG_STATE_HOME to another folder; `keelson sandbox` has --data, too.",
    cause,
  };
}

export function damagedData(summary: string, cause?: unknown): Diagnostic {
  return {
    code: "sandbox.data-damaged",
    severity: "error",
    summary,
    detail:
      "Keelson has removed nothing. Token, certificate and port are kept elsewhere, and are safe.",
    hint: "`keelson sandbox restore FILE` takes the objects of a snapshot, `keelson sandbox --fresh` begins anew; either keeps the damaged file beside the new one",
    ...(cause === undefined ? {} : { cause }),
  };
}

/** The file ends in the middle of a page, or the disk says that it is damaged. */
function isCutOff(error: unknown): boolean {
  const { errcode } = error as { readonly errcode?: unknown };
  return errcode === shortRead || errcode === corruptDisk;
}

function sqliteCode(error: unknown): number | undefined {
  const { errcode } = error as { readonly errcode?: unknown };
  return typeof errcode === "number" ? errcode & 0xff : undefined;
}
