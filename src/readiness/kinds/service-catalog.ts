import type { KubernetesObject } from "../../objects/index.ts";
import { conditionOf, conditionsOf } from "../../causes/index.ts";
import { current, failed, inProgress, type Readiness } from "../readiness.ts";

/** Instances and bindings of Service Catalog: its controller says that one is ready, or has failed for good. */
export function serviceCatalogObject(object: KubernetesObject): Readiness {
  const conditions = conditionsOf(object);
  const failure = conditionOf(conditions, "Failed");
  if (failure?.status === "True")
    return failed(failure.reason ?? "Failed", failure.message ?? `${object.kind} has failed`);
  const ready = conditionOf(conditions, "Ready");
  if (ready?.status === "True") return current(ready.message ?? `${object.kind} is ready`);
  if (ready === undefined)
    return inProgress("NotObserved", "waiting for the controller of Service Catalog");
  return inProgress(ready.reason ?? "NotReady", ready.message ?? `Ready is ${ready.status}`);
}
