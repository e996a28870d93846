import type { KubernetesObject } from "../objects/index.ts";
import { conditionOf, conditionsOf } from "./conditions.ts";
import { pod } from "./kinds/pod.ts";
import type { ReadinessContext } from "./readiness-context.ts";
import { inProgress, type Readiness } from "./readiness.ts";

const deepest = 4;
/** What every pod goes through on its way up explains nothing. */
const ordinary = ["Pending", "ContainersNotReady"];
/** What no further pod of a Job does better. Of all else its controller says when the Job has failed. */
const neverRetried = ["ImagePullBackOff", "ErrImagePull", "InvalidImageName", "ErrImageNeverPull"];

/**
 * Why an owner is not ready, as its children say it: the pod of a ReplicaSet of a Deployment, and so on.
 * The first failure counts, or else the first trouble that may pass.
 */
export function childTrouble(
  owner: KubernetesObject,
  context: ReadinessContext,
): Readiness | undefined {
  const found = troublesBelow(owner, context, 0);
  return found.find(({ status }) => status === "Failed") ?? found[0];
}

function troublesBelow(
  owner: KubernetesObject,
  context: ReadinessContext,
  depth: number,
): readonly Readiness[] {
  if (depth >= deepest) return [];
  return (context.childrenOf?.(owner) ?? [])
    .filter((child) => child.metadata.deletionTimestamp === undefined && !isReplaced(child, owner))
    .flatMap((child) => [
      ...(child.kind === "Pod" ? troubleOfPod(child, owner, context) : refusedPods(child)),
      ...troublesBelow(child, context, depth + 1),
    ]);
}

function troubleOfPod(
  child: KubernetesObject,
  owner: KubernetesObject,
  context: ReadinessContext,
): readonly Readiness[] {
  const verdict = pod(child, context);
  if (verdict.status === "Current" || ordinary.includes(verdict.reason)) return [];
  const message = `pod ${child.metadata.name ?? ""}: ${verdict.message}`;
  const isRetried =
    owner.kind === "Job" && verdict.status === "Failed" && !neverRetried.includes(verdict.reason);
  return [isRetried ? inProgress(verdict.reason, message) : { ...verdict, message }];
}

/** Pods that could not even be created, for a quota or an admission rule; this is tried again and again. */
function refusedPods(child: KubernetesObject): readonly Readiness[] {
  const failure = conditionOf(conditionsOf(child), "ReplicaFailure");
  if (failure?.status !== "True") return [];
  return [inProgress(failure.reason ?? "FailedCreate", failure.message ?? "a pod was refused")];
}

const revisionAnnotation = "deployment.kubernetes.io/revision";

/**
 * Whether a Deployment is about to replace this ReplicaSet by a newer one: pods that fail in the old
 * one are often the reason for the new one, and say nothing about it.
 */
function isReplaced(child: KubernetesObject, owner: KubernetesObject): boolean {
  if (owner.kind !== "Deployment" || child.kind !== "ReplicaSet") return false;
  const wanted = owner.metadata.annotations?.[revisionAnnotation];
  const revision = child.metadata.annotations?.[revisionAnnotation];
  return wanted !== undefined && revision !== undefined && wanted !== revision;
}
