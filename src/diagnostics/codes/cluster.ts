import type { DiagnosticCodeDoc } from "./code-doc.ts";

export const clusterCodes = {
  "cluster.unreachable": {
    meaning: "The API server did not answer: the address is wrong, or the server is down.",
    remedy: "Check the server address of the context and that the cluster runs.",
  },
} as const satisfies Record<string, DiagnosticCodeDoc>;
