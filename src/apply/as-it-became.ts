import { type Cluster, referenceTo } from "../cluster/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import { isProvisionedObject } from "../plan/index.ts";

/** An object of this run as it is by now: much of what it says of itself comes only after it was written. */
export function asItBecame(
  cluster: Cluster,
  applied: KubernetesObject,
): Promise<KubernetesObject | undefined> {
  return isProvisionedObject(applied)
    ? Promise.resolve(applied)
    : cluster.find(referenceTo(applied));
}
