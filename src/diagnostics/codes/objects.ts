import type { DiagnosticCodeDoc } from "./code-doc.ts";

export const objectCodes = {
  "objects.file-missing": {
    meaning: "A file or directory that was named does not exist.",
    remedy: "Check the path; it is relative to the working directory.",
  },
} as const satisfies Record<string, DiagnosticCodeDoc>;
