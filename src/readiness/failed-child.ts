import type { KubernetesObject } from "../objects/index.ts";
import { pod } from "./kinds/pod.ts";
import type { ReadinessContext } from "./readiness-context.ts";
import type { Readiness } from "./readiness.ts";

const deepest = 4;

/** The first failure below an owner: the pod of a ReplicaSet of a Deployment, and so on. */
export function failedChild(
  owner: KubernetesObject,
  context: ReadinessContext,
  depth = 0,
): Readiness | undefined {
  if (depth >= deepest) return undefined;
  for (const child of context.childrenOf?.(owner) ?? []) {
    if (child.metadata.deletionTimestamp !== undefined || isReplaced(child, owner)) continue;
    if (child.kind === "Pod") {
      const verdict = pod(child, context);
      if (verdict.status === "Failed")
        return { ...verdict, message: `pod ${child.metadata.name ?? ""}: ${verdict.message}` };
    }
    const below = failedChild(child, context, depth + 1);
    if (below !== undefined) return below;
  }
  return undefined;
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
