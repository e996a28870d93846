import type { KubernetesObject } from "../../objects/index.ts";
import { type Readiness, current, inProgress } from "../readiness.ts";

interface StatefulSetSpec {
  readonly replicas?: number;
  readonly updateStrategy?: {
    readonly type?: string;
    readonly rollingUpdate?: { readonly partition?: number };
  };
}

export function statefulSet(object: KubernetesObject): Readiness {
  const spec = (object["spec"] ?? {}) as StatefulSetSpec;
  const status = (object["status"] ?? {}) as Readonly<Record<string, number | undefined>> & {
    readonly currentRevision?: string;
    readonly updateRevision?: string;
  };
  const wanted = spec.replicas ?? 1;
  const count = (name: string): number => status[name] ?? 0;
  if (spec.updateStrategy?.type === "OnDelete")
    return current("StatefulSet is updated when its pods are deleted");
  if (status["observedGeneration"] === undefined)
    return inProgress("NotObserved", "StatefulSet has not been looked at yet");
  if (count("replicas") < wanted)
    return inProgress("LessReplicas", `replicas: ${count("replicas")}/${wanted}`);
  if (count("readyReplicas") < wanted)
    return inProgress("LessReady", `ready: ${count("readyReplicas")}/${wanted}`);
  if (count("replicas") > wanted)
    return inProgress("ExtraPods", `${count("replicas") - wanted} pods too many are still there`);
  const partition = spec.updateStrategy?.rollingUpdate?.partition ?? 0;
  if (partition > 0) {
    const updated = Math.max(0, wanted - partition);
    if (count("updatedReplicas") < updated)
      return inProgress("PartitionRollout", `updated: ${count("updatedReplicas")}/${updated}`);
    return current(`StatefulSet is rolled out up to its partition, ${updated} updated`);
  }
  if (count("currentReplicas") < wanted && status.currentRevision === status.updateRevision) {
    return inProgress("LessCurrent", `current: ${count("currentReplicas")}/${wanted}`);
  }
  if (status.currentRevision !== status.updateRevision)
    return inProgress("RevisionMismatch", `updated: ${count("updatedReplicas")}/${wanted}`);
  return current(`StatefulSet is ready, ${wanted} ${wanted === 1 ? "replica" : "replicas"}`);
}
