import type { DiagnosticCodeDoc } from "./code-doc.ts";

export const programCodes = {
  "program.provisioned-decision": {
    meaning:
      "A program decides on a value that is known only after apply: by a condition, a comparison, arithmetic, iteration, a conversion, or a call to code that may do so.",
    remedy:
      "Compute from the value with output(value).map(fn), choose with when(condition, a, b), or plan in stages with --allow-provisioned-conditions.",
  },
  "program.deferred-result": {
    meaning:
      "A function given to map or each could not compute its value while applying: it gave no data, or used a value that it was not given.",
    remedy: "Pass every value that the function needs to output(), and return plain data.",
  },
  "program.syntax": {
    meaning: "A module of a program is not valid TypeScript or JavaScript.",
    remedy: "Correct it at the place that the message shows.",
  },
} as const satisfies Record<string, DiagnosticCodeDoc>;
