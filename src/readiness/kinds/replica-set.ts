import type { KubernetesObject } from "../../objects/index.ts";
import { conditionOf, conditionsOf } from "../../causes/index.ts";
import { type Readiness, current, inProgress } from "../readiness.ts";

export function replicaSet(object: KubernetesObject): Readiness {
  const { replicas: wanted = 1 } = (object["spec"] ?? {}) as { replicas?: number };
  const status = (object["status"] ?? {}) as Readonly<Record<string, number | undefined>>;
  const failure = conditionOf(conditionsOf(object), "ReplicaFailure");
  if (failure?.status === "True")
    return inProgress(failure.reason ?? "ReplicaFailure", failure.message ?? "pods cannot be made");
  if (status["observedGeneration"] === undefined)
    return inProgress("NotObserved", `${object.kind} has not been looked at yet`);
  const counts = [
    ["LessLabelled", "fullyLabeledReplicas", "labelled"],
    ["LessAvailable", "availableReplicas", "available"],
    ["LessReady", "readyReplicas", "ready"],
  ] as const;
  for (const [reason, field, word] of counts) {
    const count = status[field] ?? 0;
    if (count < wanted) return inProgress(reason, `${word}: ${count}/${wanted}`);
  }
  const replicas = status["replicas"] ?? 0;
  if (replicas > wanted)
    return inProgress("ExtraPods", `${replicas - wanted} pods too many are still there`);
  return current(`${object.kind} is available, ${wanted} ${wanted === 1 ? "replica" : "replicas"}`);
}
