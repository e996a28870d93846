import type { DiagnosticCodeDoc } from "./code-doc.ts";

export const starlarkCodes = {
  "starlark.syntax": {
    meaning: "A file is not written in Starlark.",
    remedy: "Fix the place that the message points at.",
  },
  "starlark.invalid-program": {
    meaning:
      "A Starlark file uses a name that is not defined, or a statement where it cannot stand.",
    remedy: "Correct the name; the message suggests one that is near. Define it before its use.",
  },
  "starlark.failed": {
    meaning: "A Starlark program failed while it ran.",
    remedy: "Follow the traceback; the last line is where it happened.",
  },
  "starlark.limit": {
    meaning: "A Starlark program took more steps, memory or nested calls than it may.",
    remedy: "Look for a loop or a recursion that does not end.",
  },
} as const satisfies Record<string, DiagnosticCodeDoc>;
