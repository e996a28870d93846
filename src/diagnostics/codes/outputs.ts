import type { DiagnosticCodeDoc } from "./code-doc.ts";

export const outputCodes = {
  "outputs.no-binding": {
    meaning:
      "The definition of a claim does not say which kind its bindings are of, or which of their fields names the output.",
    remedy:
      "Add the annotations ReadyWhenExistsKind, ReadyWhenExistsVersion and OutputNameField to the definition.",
  },
  "outputs.unknown-mode": {
    meaning: "A claim asks for a way to name its output that there is not.",
    remedy: "Write Random, ContentsHash or Fixed.",
  },
  "outputs.fixed-name": {
    meaning:
      "A claim wants a fixed name for its output and gives none, or one that cannot be used.",
    remedy: "Write a name of lower-case letters, digits, dashes and dots.",
  },
  "outputs.name-taken": {
    meaning: "The name that an output is to have belongs to an object of somebody else.",
    remedy: "Choose another name, or delete that object.",
  },
  "outputs.fixed-type": {
    meaning: "The type of a Secret cannot change, and with a fixed name there is no other Secret.",
    remedy: "Choose another name, or the mode ContentsHash or Random.",
  },
  "outputs.binding-taken": {
    meaning: "The name of a binding belongs to an object of another claim, or of nobody.",
    remedy: "Wait until it is gone, delete it, or give the binding another name.",
  },
} as const satisfies Record<string, DiagnosticCodeDoc>;
