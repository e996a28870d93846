import type { KubernetesObject } from "../../objects/index.ts";
import type { ReadinessContext } from "../readiness-context.ts";
import { type Readiness, current, failed, inProgress } from "../readiness.ts";

export function persistentVolumeClaim(
  object: KubernetesObject,
  { waitsForConsumer }: ReadinessContext,
): Readiness {
  const { phase = "Pending" } = (object["status"] ?? {}) as { phase?: string };
  if (phase === "Bound") return current("PersistentVolumeClaim is bound");
  if (phase === "Lost") return failed("Lost", "the volume of the claim is gone");
  if (waitsForConsumer?.(object) === true)
    return current("PersistentVolumeClaim waits for a pod that mounts it", "WaitForFirstConsumer");
  return inProgress("NotBound", "PersistentVolumeClaim is not bound");
}
