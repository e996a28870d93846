import type { KubernetesObject } from "../../objects/index.ts";
import { conditionOf, conditionsOf } from "../../causes/index.ts";
import { type Readiness, current, failed, inProgress } from "../readiness.ts";

interface DeploymentSpec {
  readonly replicas?: number;
  readonly paused?: boolean;
  readonly progressDeadlineSeconds?: number;
}

/** The number that stands for no deadline at all. */
const noDeadline = 2_147_483_647;

export function deployment(object: KubernetesObject): Readiness {
  const spec = (object["spec"] ?? {}) as DeploymentSpec;
  const { replicas: wanted = 1, paused = false, progressDeadlineSeconds = noDeadline } = spec;
  const status = (object["status"] ?? {}) as Readonly<Record<string, number | undefined>>;
  const conditions = conditionsOf(object);
  const progressing = conditionOf(conditions, "Progressing");
  if (progressing?.reason === "ProgressDeadlineExceeded") {
    return failed(
      "ProgressDeadlineExceeded",
      progressing.message ?? "the progress deadline is exceeded",
    );
  }
  const count = (name: string): number => status[name] ?? 0;
  if (status["observedGeneration"] === undefined)
    return inProgress("NotObserved", "Deployment has not been looked at yet");
  if (paused && count("updatedReplicas") < wanted)
    return inProgress("Paused", "Deployment is paused");
  if (count("replicas") < wanted)
    return inProgress("LessReplicas", `replicas: ${count("replicas")}/${wanted}`);
  if (count("updatedReplicas") < wanted)
    return inProgress("LessUpdated", `updated: ${count("updatedReplicas")}/${wanted}`);
  if (count("replicas") > wanted)
    return inProgress("ExtraPods", `${count("replicas") - wanted} old pods are still there`);
  if (count("availableReplicas") < count("updatedReplicas")) {
    return inProgress("LessAvailable", `available: ${count("availableReplicas")}/${wanted}`);
  }
  if (count("readyReplicas") < wanted)
    return inProgress("LessReady", `ready: ${count("readyReplicas")}/${wanted}`);
  // Without a deadline the controller does not say whether it progresses; paused it says nothing else.
  const isTold = progressDeadlineSeconds < noDeadline && !paused;
  if (
    isTold &&
    !(progressing?.status === "True" && progressing.reason === "NewReplicaSetAvailable")
  )
    return inProgress(
      "ReplicaSetNotAvailable",
      progressing?.message ?? "its ReplicaSet is not available",
    );
  const available = conditionOf(conditions, "Available");
  if (available?.status !== "True")
    return inProgress(
      available?.reason ?? "NotAvailable",
      available?.message ?? "Deployment is not available",
    );
  return current(`Deployment is available, ${wanted} ${wanted === 1 ? "replica" : "replicas"}`);
}
