import type { KubernetesObject } from "../../objects/index.ts";
import { conditionOf, conditionsOf } from "../../causes/index.ts";
import type { ReadinessContext } from "../readiness-context.ts";
import { type Readiness, current, failed, inProgress } from "../readiness.ts";

export function job(
  object: KubernetesObject,
  { jobsMustComplete = false }: ReadinessContext,
): Readiness {
  const conditions = conditionsOf(object);
  const status = (object["status"] ?? {}) as {
    startTime?: string;
    active?: number;
    succeeded?: number;
    failed?: number;
  };
  const isTrue = (type: string): boolean => conditionOf(conditions, type)?.status === "True";
  if (isTrue("Complete"))
    return current(`Job has completed, ${status.succeeded ?? 0} succeeded`, "Completed");
  const failure = conditionOf(conditions, "Failed");
  if (failure?.status === "True")
    return failed(
      failure.reason ?? "JobFailed",
      failure.message ?? `Job has failed, ${status.failed ?? 0} pods failed`,
    );
  if (isTrue("Suspended")) return current("Job is suspended", "Suspended");
  if (status.startTime === undefined) return inProgress("NotStarted", "Job has not started");
  const counts = `active: ${status.active ?? 0}, succeeded: ${status.succeeded ?? 0}, failed: ${status.failed ?? 0}`;
  return jobsMustComplete
    ? inProgress("Running", counts)
    : current(`Job is running, ${counts}`, "Running");
}

/** Whether a Job has finished, and is deleted some time after that by its own wish. */
export function isFinishedJob(object: KubernetesObject): boolean {
  const { ttlSecondsAfterFinished } = (object["spec"] ?? {}) as {
    ttlSecondsAfterFinished?: number;
  };
  if (object.kind !== "Job" || ttlSecondsAfterFinished === undefined) return false;
  const conditions = conditionsOf(object);
  return ["Complete", "Failed"].some((type) => conditionOf(conditions, type)?.status === "True");
}
