import type { DiagnosticCodeDoc } from "./code-doc.ts";

export const sandboxCodes = {
  "sandbox.data-in-use": {
    meaning: "Another process holds the sandbox's data; two never write one store.",
    remedy:
      "Wait until the other command has ended, or run `keelson sandbox`, which several commands can use at once.",
  },
  "sandbox.data-unusable": {
    meaning: "The folder for the sandbox's data cannot be made or written.",
    remedy: "Set XDG_STATE_HOME to a folder that you may write.",
  },
  "sandbox.disk-full": {
    meaning:
      "The disk of the sandbox's data is full. Nothing of the write was kept; all that was written before is safe.",
    remedy: "Make room on that disk, then try again.",
  },
  "sandbox.identity-damaged": {
    meaning: "The file with the sandbox's token and certificate is damaged; its objects are safe.",
    remedy: "Delete the file: the next start makes new ones, and a new kubeconfig.",
  },
  "sandbox.port-taken": {
    meaning: "Another program listens on the port that the sandbox was to serve on.",
    remedy: "Choose another port with --port, or leave it to the sandbox.",
  },
  "sandbox.data-damaged": {
    meaning: "The file in the data folder is not a sandbox's data, or it is damaged.",
    remedy:
      "Restore a snapshot, or begin anew with `keelson sandbox --fresh`; the damaged file is kept.",
  },
  "sandbox.data-newer": {
    meaning: "The sandbox's data was written by a newer Keelson.",
    remedy: "Use that version, or set XDG_STATE_HOME to another folder.",
  },
  "sandbox.not-answering": {
    meaning: "The process that serves the sandbox's data does not answer.",
    remedy: "Stop that process, then try again.",
  },
  "sandbox.kubeconfig-unwritable": {
    meaning: "The kubeconfig of the sandbox cannot be written.",
    remedy: "Give a file in a folder that you may write with --kubeconfig.",
  },
  "sandbox.snapshot-invalid": {
    meaning: "The file is not a snapshot of a sandbox, or it is damaged.",
    remedy: "Give a file that `keelson sandbox snapshot` wrote.",
  },
  "sandbox.snapshot-unreadable": {
    meaning: "The file of a snapshot cannot be read.",
    remedy: "Give a file that exists and that you may read.",
  },
  "sandbox.snapshot-unwritable": {
    meaning: "The file of a snapshot cannot be written.",
    remedy: "Give a file in a folder that you may write.",
  },
} as const satisfies Record<string, DiagnosticCodeDoc>;
