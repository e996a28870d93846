import { type Cluster, isApiError, referenceTo } from "../cluster/index.ts";
import { takenOver } from "../merge/index.ts";
import type { JsonValue } from "../json/index.ts";
import type { KubernetesObject } from "../objects/index.ts";

/**
 * Turns the fields that client-side `kubectl apply` left into fields that we applied, once, so that what
 * is no longer wished for goes away as it would have with kubectl. The same goes for what was patched
 * in our own name, which would else stand in the way of the next apply.
 */
export async function takeOverClientSideApply(
  cluster: Cluster,
  live: KubernetesObject,
  manager: string,
): Promise<void> {
  const entries = takenOver(live, manager);
  if (entries === undefined) return;
  const patch = [
    { op: "replace", path: "/metadata/managedFields", value: entries },
    { op: "replace", path: "/metadata/resourceVersion", value: live.metadata.resourceVersion },
  ];
  try {
    await cluster.patch(referenceTo(live), "json", patch as unknown as JsonValue, {
      fieldManager: manager,
    });
  } catch (error) {
    // The object changed meanwhile; the apply itself then reports any conflict.
    if (!isApiError(error, "Conflict")) throw error;
  }
}
