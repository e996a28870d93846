import type { DiagnosticCodeDoc } from "./code-doc.ts";

export const readinessCodes = {
  "readiness.incomplete-annotations": {
    meaning:
      "A definition has one of two annotations that mean something only together, so that nobody could tell when its instances are ready.",
    remedy: "Add the other annotation, or remove this one.",
  },
  "readiness.conflicting-annotations": {
    meaning: "A definition says the same thing twice, in two spellings and with different values.",
    remedy: "Keep one of the two annotations.",
  },
  "readiness.unknown-annotation": {
    meaning: "An annotation looks like one of the readiness annotations but is none of them.",
    remedy: "Correct its spelling; docs/readiness.md lists them all.",
  },
  "readiness.invalid-path": {
    meaning:
      "An annotation holds a path that cannot be read, or that leads to more than one field.",
    remedy: 'Write a path such as status.state or {.status.conditions[?(@.type=="Ready")].status}.',
  },
  "readiness.unknown-field": {
    meaning:
      "A readiness rule looks at a field that no version of the kind has: a server would drop the field, and no instance would ever be ready.",
    remedy: "Correct the path, or add the field to the schema of the definition.",
  },
  "readiness.invalid-annotation": {
    meaning: "The value of a readiness annotation is not what the annotation stands for.",
    remedy: "Correct the value as the message says.",
  },
  "readiness.invalid-expression": {
    meaning: "The expression of keelson.dev/ready-when cannot be compiled, or is no condition.",
    remedy: 'Write a condition on `self`, such as self.status.phase == "Bound".',
  },
  "readiness.definitions-forbidden": {
    meaning:
      "The definitions of custom kinds may not be read, so that what they say of readiness does not count; the Ready condition of each instance decides.",
    remedy: "Allow the verb get on customresourcedefinitions.apiextensions.k8s.io.",
  },
} as const satisfies Record<string, DiagnosticCodeDoc>;
