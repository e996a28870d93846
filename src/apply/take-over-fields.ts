import { type Cluster, isApiError, referenceTo } from "../cluster/index.ts";
import { type FormerOwner, takenOver } from "../merge/index.ts";
import type { JsonValue } from "../json/index.ts";
import type { KubernetesObject } from "../objects/index.ts";

/**
 * Turns the fields that a former owner left, client-side `kubectl apply` unless given, into fields that we
 * applied, once, so that what is no longer desired goes away as it would have with that owner. The same goes for
 * what was patched in our own name, which would else stand in the way of the next apply. Returns whether it
 * is done; it is not where the object changed meanwhile.
 */
export async function takeOverFields(
  cluster: Cluster,
  live: KubernetesObject,
  manager: string,
  former?: FormerOwner,
): Promise<boolean> {
  const entries = takenOver(live, manager, former);
  if (entries === undefined) return true;
  const patch = [
    { op: "replace", path: "/metadata/managedFields", value: entries },
    { op: "replace", path: "/metadata/resourceVersion", value: live.metadata.resourceVersion },
  ];
  try {
    await cluster.patch(referenceTo(live), "json", patch as unknown as JsonValue, {
      fieldManager: manager,
    });
    return true;
  } catch (error) {
    // An apply that follows reports any conflict itself.
    if (!isApiError(error, "Conflict")) throw error;
    return false;
  }
}
