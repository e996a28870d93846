import type { DiagnosticCodeDoc } from "./code-doc.ts";

export const blueprintCodes = {
  "blueprints.invalid-object": {
    meaning:
      "An object of a supply chain or delivery is not as its definition wants it; the API server would refuse it.",
    remedy: "Correct the field that the message names.",
  },
  "blueprints.cycle": {
    meaning: "Steps of a supply chain or delivery take inputs from each other in a circle.",
    remedy: "Remove one of the inputs that the message names.",
  },
  "blueprints.equal-selectors": {
    meaning: "Two options of a step ask for the same: whenever one matches, both do.",
    remedy: "Remove one of the options, or ask for something else in it.",
  },
  "blueprints.namespace-forbidden": {
    meaning: "A template names a namespace; objects are stamped into the namespace of their owner.",
    remedy: "Remove metadata.namespace from the template.",
  },
  "blueprints.unusable-template": {
    meaning:
      "A template can stamp nothing: a path in it cannot be read, or the object has no name that fits its lifecycle.",
    remedy:
      "Correct the path; set metadata.name, or metadata.generateName for the lifecycles immutable and tekton.",
  },
  "blueprints.template-missing": {
    meaning: "A step names a template that is not there.",
    remedy: "Add the template, or correct its name or the kind of the step.",
  },
  "blueprints.unknown-input": {
    meaning: "An option looks at an input that its step does not have.",
    remedy: "Add the input to the step, or correct its name in the key.",
  },
  "blueprints.mixed-groups": {
    meaning:
      "What belongs together is written in both API groups, kontinue.io and carto.run, which never mix.",
    remedy: "Write owner, blueprint and templates in one of them.",
  },
  "blueprints.overlap": {
    meaning: "There is a workload for which two options of a step match, where one must.",
    remedy:
      "Ask for more in one of the options, so that they exclude each other, or choose `optionMatching: mostSpecific`.",
  },
  "blueprints.gap": {
    meaning: "There is a workload that a supply chain serves, and no option of a step matches it.",
    remedy: "Add an option for it, or let the selector of the supply chain ask for more.",
  },
  "blueprints.not-searched": {
    meaning:
      "The options of a step ask for too many things to look at all their combinations; overlaps and gaps were looked for in a part of them.",
    remedy: "Look at the options yourself, or ask for fewer fields in one step.",
  },
  "blueprints.no-owner": {
    meaning: "The file to explain holds no Workload and no Deliverable, or several.",
    remedy: "Name a file with one of them.",
  },
  "blueprints.no-blueprint": {
    meaning: "The input holds no supply chain or delivery that could serve the owner.",
    remedy: "Name the files of the platform with `-f`.",
  },
  "blueprints.stamping-refused": {
    meaning:
      "The controller could not write or delete what a step stamps: the API server said no, or the service account cannot be used.",
    remedy:
      "Give the service account a Role for what the templates stamp, and the controller one to watch it; it is tried again.",
  },
} as const satisfies Record<string, DiagnosticCodeDoc>;
