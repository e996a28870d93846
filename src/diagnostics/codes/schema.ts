import type { DiagnosticCodeDoc } from "./code-doc.ts";

export const schemaCodes = {
  "schema.unknown-field": {
    meaning: "An object has a field that its kind does not know; a server would drop it.",
    remedy: "Correct the spelling or the place of the field, or remove it.",
  },
  "schema.unreadable-object": {
    meaning: "A field of an object has a value of a wrong type, so that no server could read it.",
    remedy: "Write a value of the type that the message names.",
  },
  "schema.invalid-object": {
    meaning: "An object breaks a rule of its kind; a server would refuse it.",
    remedy: "Correct the field that the message names.",
  },
  "schema.not-base64": {
    meaning: "A Secret or ConfigMap has plain text in a field that holds base64.",
    remedy: "Put plain text under stringData (of a ConfigMap: data), or encode it.",
  },
} as const satisfies Record<string, DiagnosticCodeDoc>;
