import type { Diagnostic } from "../../diagnostics/index.ts";

/** What to tell about a file that the system refused to give. */
export function fileDiagnostic(path: string, cause: unknown): Diagnostic {
  const code = systemCode(cause);
  if (code === "ENOENT" || code === "ENOTDIR") {
    return {
      code: "objects.file-missing",
      severity: "error",
      summary: `${path} does not exist`,
      hint: "The path is relative to the working directory.",
      cause,
    };
  }
  return {
    code: "objects.file-unreadable",
    severity: "error",
    summary: `${path} cannot be read: ${reasons[code] ?? code}`,
    cause,
  };
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EISDIR: "it is a directory",
  ELOOP: "its links go in a circle",
  ENAMETOOLONG: "the path is too long",
};

function systemCode(cause: unknown): string {
  const code =
    typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined;
  return typeof code === "string" ? code : "unknown failure";
}
