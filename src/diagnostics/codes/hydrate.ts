import type { DiagnosticCodeDoc } from "./code-doc.ts";

export const hydrateCodes = {
  "hydrate.binary-missing": {
    meaning: "A program that turns sources into YAML, such as helm, is not installed.",
    remedy: "Install it, or put it on the PATH.",
  },
  "hydrate.command-failed": {
    meaning: "helm or kustomize could not turn the sources into YAML.",
    remedy: "The message holds what the command printed.",
  },
  "hydrate.input": {
    meaning:
      "A chart or a kustomization is not where it should be, or its options contradict each other.",
    remedy:
      "Name a directory with a Chart.yaml or a kustomization.yaml, an `oci://` address, or a chart and its repository.",
  },
} as const satisfies Record<string, DiagnosticCodeDoc>;
