import type { KubernetesObject } from "../../objects/index.ts";
import { type Readiness, current, inProgress } from "../readiness.ts";

export function daemonSet(object: KubernetesObject): Readiness {
  const status = (object["status"] ?? {}) as Readonly<Record<string, number | undefined>>;
  const { updateStrategy } = (object["spec"] ?? {}) as { updateStrategy?: { type?: string } };
  if (
    status["observedGeneration"] === undefined ||
    status["desiredNumberScheduled"] === undefined
  ) {
    return inProgress("NotObserved", "DaemonSet has not been looked at yet");
  }
  const wanted = status["desiredNumberScheduled"];
  const fields = [
    ["LessScheduled", "currentNumberScheduled", "scheduled"],
    ...(updateStrategy?.type === "OnDelete"
      ? []
      : [["LessUpdated", "updatedNumberScheduled", "updated"] as const]),
    ["LessAvailable", "numberAvailable", "available"],
    ["LessReady", "numberReady", "ready"],
  ] as const;
  for (const [reason, field, word] of fields) {
    const count = status[field] ?? 0;
    if (count < wanted) return inProgress(reason, `${word}: ${count}/${wanted}`);
  }
  return current(`DaemonSet is ready on ${wanted} ${wanted === 1 ? "node" : "nodes"}`);
}
