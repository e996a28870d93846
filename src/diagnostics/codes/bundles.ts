import type { DiagnosticCodeDoc } from "./code-doc.ts";

export const bundleCodes = {
  "bundle.invalid": {
    meaning: "A Bundle is not made as it should be: a field is missing or has no sense.",
    remedy: "Correct the field that the message names; docs/bundles.md has the form of a Bundle.",
  },
  "bundle.duplicate-name": {
    meaning: "Two resources of a Bundle have the same name, or are the same object.",
    remedy: "Rename one of them, or remove it.",
  },
  "bundle.unknown-resource": {
    meaning: "A resource of a Bundle refers to another one that the Bundle does not have.",
    remedy: "Correct the name, or add the resource.",
  },
  "bundle.invalid-reference": {
    meaning:
      "A reference of a Bundle cannot be used: it is not declared, declared twice, or its path or modifier makes no sense.",
    remedy: "Correct the reference that the message names; `!!{` writes the text `!{`.",
  },
  "bundle.cycle": {
    meaning: "Resources of a Bundle wait for each other in a circle.",
    remedy: "Remove one of the references that the message lists.",
  },
  "bundle.unknown-plugin": {
    meaning: "A plugin that a Bundle names was not found, or is none.",
    remedy:
      'Install its package; its package.json says where it is: "keelson": { "bundlePlugin": "./plugin.js" }.',
  },
  "bundle.invalid-example": {
    meaning:
      "With the examples of its references in their places, an object of a Bundle does not fit the schema of its kind.",
    remedy: "Correct the field that the message names, or the example.",
  },
  "bundle.unresolved": {
    meaning: "A value that an object of a Bundle takes from another one is not there.",
    remedy: "Correct the path of the reference, or find out why the field is not set.",
  },
} as const satisfies Record<string, DiagnosticCodeDoc>;
