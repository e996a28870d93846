import { conditionOf, conditionsOf } from "../../causes/index.ts";
import { helmHookOf, type KubernetesObject } from "../../objects/index.ts";
import type { ReadinessContext } from "../readiness-context.ts";
import { type Readiness, current, failed, inProgress } from "../readiness.ts";

/** What its phase and its conditions say; why, and whether that passes, its cause tells. */
export function pod(object: KubernetesObject, context: ReadinessContext): Readiness {
  const { phase } = (object["status"] ?? {}) as { readonly phase?: string };
  if (phase === "Succeeded") return current("Pod has completed", "Completed");
  if (phase === "Failed") return failed("Failed", "Pod has failed");
  if (phase !== "Running") return inProgress("Pending", "Pod is pending");
  const ready = conditionOf(conditionsOf(object), "Ready");
  if (ready?.status !== "True")
    return inProgress("ContainersNotReady", ready?.message ?? "Pod is running but not ready");
  const mustComplete = context.jobsMustComplete === true && helmHookOf(object) !== undefined;
  return mustComplete ? inProgress("Running", "Pod is running") : current("Pod is ready");
}
