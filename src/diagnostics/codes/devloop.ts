import type { DiagnosticCodeDoc } from "./code-doc.ts";

export const devloopCodes = {
  "devloop.context": {
    meaning: "The current context may be a production cluster, so `up` does not touch it.",
    remedy:
      "Name it with --context, or allow it: allow_k8s_contexts in a Tiltfile, allowedContexts in keelson.json.",
  },
  "devloop.report-unwritable": {
    meaning: "The file that --junit names cannot be written.",
    remedy: "Give another file; folders that are missing are made.",
  },
  "devloop.not-running": {
    meaning: "No `keelson up` runs for this project, so there is nothing to ask.",
    remedy: "Start `keelson up` in the folder of the project.",
  },
  "devloop.running": {
    meaning: "A `keelson up` runs already for this project.",
    remedy: "Stop it, or use `keelson trigger` to have it do something.",
  },
  "devloop.unknown-component": {
    meaning: "A component was named that the project does not have.",
    remedy: "Compare with the components that `keelson assemble` lists.",
  },
  "devloop.whole-program": {
    meaning: "Components were chosen of a source that can only be applied as a whole.",
    remedy: "Leave the names of components out.",
  },
  "devloop.update": {
    meaning: "A component could not be updated; the message says what stood in the way.",
    remedy: "Mend what the message says; the next change tries again.",
  },
  "devloop.watch": {
    meaning: "Files or objects cannot be watched, so changes of them go unnoticed.",
    remedy: "Raise the limit of watches of the system, or watch less.",
  },
  "devloop.port": {
    meaning:
      "A local port for a port forward is in use, so another was taken; or it leads to no port of a pod.",
    remedy: "End what uses it, or choose another local port; name the port of the container.",
  },
} as const satisfies Record<string, DiagnosticCodeDoc>;
