import type { ApiContext } from "../api/api-context.ts";
import { InternalClient } from "./internal-client.ts";

const storageKey = "scheduling.k8s.io/priorityclasses";

const systemClasses = [
  {
    name: "system-cluster-critical",
    value: 2_000_000_000,
    description:
      "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.",
  },
  {
    name: "system-node-critical",
    value: 2_000_001_000,
    description: "Used for system critical pods that must not be moved from their current node.",
  },
];

/** Makes the priority classes that every cluster has. */
export function createFirstPriorityClasses(context: ApiContext): void {
  const client = new InternalClient(context, "kube-apiserver");
  for (const { name, value, description } of systemClasses) {
    if (client.get(storageKey, "", name) !== undefined) continue;
    client.create(storageKey, {
      kind: "PriorityClass",
      apiVersion: "scheduling.k8s.io/v1",
      metadata: { name },
      value,
      description,
    });
  }
}
