import type { KubernetesObject } from "../../objects/index.ts";
import { conditionOf, conditionsOf } from "../../causes/index.ts";
import { current, failed, inProgress, type Readiness } from "../readiness.ts";

/**
 * Kinds that the controller looks after, such as bundles and workloads: without a condition nobody has
 * looked yet, and an error that is not tried again is a failure.
 */
export function lookedAfter(object: KubernetesObject): Readiness {
  const conditions = conditionsOf(object);
  const error = conditionOf(conditions, "Error");
  if (error?.status === "True" && error.reason === "TerminalError")
    return failed(error.reason, error.message ?? "it has failed");
  const ready = conditionOf(conditions, "Ready");
  if (ready?.status === "True") return current(ready.message ?? `${object.kind} is ready`);
  const progress = conditionOf(conditions, "InProgress");
  const said = error?.status === "True" ? error : progress?.status === "True" ? progress : ready;
  if (said === undefined)
    return inProgress("NotLookedAt", "waits for `keelson controller` to look at it");
  return inProgress(said.reason ?? "NotReady", said.message ?? `${object.kind} is not ready yet`);
}
