import type { DiagnosticCodeDoc } from "./code-doc.ts";

export const controllerCodes = {
  "controller.port-taken": {
    meaning: "The port for health checks and metrics cannot be listened on.",
    remedy: "Choose another one with `--health-port`; 0 takes any that is free.",
  },
  "controller.no-cluster": {
    meaning: "A controller found no cluster to connect to.",
    remedy: "Set KUBECONFIG, or run it in a pod; `keelson sandbox` serves one on this machine.",
  },
  "controller.not-installed": {
    meaning: "The cluster does not know the kinds that the controller looks after.",
    remedy: "`keelson controller --install`, or `keelson install | kubectl apply -f -`.",
  },
  "controller.no-account": {
    meaning:
      "Objects of a bundle or of a supply chain are written as a service account of its namespace, which does not exist or for which the controller gets no token.",
    remedy:
      "Create the account, or name another one in `spec.serviceAccountName`. The controller needs `create` on `serviceaccounts/token`.",
  },
  "controller.name-taken": {
    meaning:
      "An object of the name that a bundle or a supply chain wants exists, and its service account may not read whose it is. It is left as it is.",
    remedy:
      "Choose another name, or delete that object; `get` on the kind lets the status say whose it is.",
  },
  "controller.lead-lost": {
    meaning:
      "A controller could not renew its Lease in time, so that another one may have taken over. It stops rather than write beside it.",
    remedy: "Start it again: it waits for its turn. Look at why the API server was out of reach.",
  },
} as const satisfies Record<string, DiagnosticCodeDoc>;
