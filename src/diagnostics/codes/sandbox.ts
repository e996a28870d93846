import type { DiagnosticCodeDoc } from "./code-doc.ts";

export const sandboxCodes = {
  "sandbox.data-in-use": {
    meaning: "Another process holds the sandbox's data; two never write one store.",
    remedy: "Stop the other process, or use another folder with --data.",
  },
  "sandbox.data-unusable": {
    meaning: "The folder for the sandbox's data cannot be made or written.",
    remedy: "Give a folder that you may write with --data.",
  },
  "sandbox.port-taken": {
    meaning: "Another program listens on the port that the sandbox was to serve on.",
    remedy: "Choose another port with --port, or leave it to the sandbox.",
  },
  "sandbox.data-damaged": {
    meaning: "The file in the data folder is not a sandbox's data, or it is damaged.",
    remedy: "Begin anew with `keelson sandbox --fresh`; the old file is kept.",
  },
  "sandbox.data-newer": {
    meaning: "The sandbox's data was written by a newer Keelson.",
    remedy: "Use that version, or another folder with --data.",
  },
} as const satisfies Record<string, DiagnosticCodeDoc>;
