import type { Condition } from "../../causes/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import type { Pod, PodTemplate } from "./pod-types.ts";
import type { ObjectSelector } from "../api/object-selector.ts";

export interface Job extends KubernetesObject {
  readonly spec: JobSpec;
  readonly status?: JobStatus;
}

export interface JobSpec {
  readonly parallelism?: number;
  readonly completions?: number;
  readonly completionMode?: string;
  readonly backoffLimit?: number;
  readonly activeDeadlineSeconds?: number;
  readonly ttlSecondsAfterFinished?: number;
  readonly suspend?: boolean;
  readonly selector?: ObjectSelector;
  readonly template: PodTemplate;
}

export interface JobStatus {
  readonly active?: number;
  readonly ready?: number;
  readonly terminating?: number;
  readonly succeeded?: number;
  readonly failed?: number;
  readonly startTime?: string;
  readonly completionTime?: string;
  readonly completedIndexes?: string;
  readonly conditions?: readonly JobCondition[];
  readonly uncountedTerminatedPods?: {
    readonly succeeded?: readonly string[];
    readonly failed?: readonly string[];
  };
}

export interface JobCondition extends Condition {
  readonly lastProbeTime?: string;
}

export const trackingFinalizer = "batch.kubernetes.io/job-tracking";
export const indexAnnotation = "batch.kubernetes.io/job-completion-index";

export function isIndexed({ spec }: Job): boolean {
  return spec.completionMode === "Indexed";
}

/** The condition that ended a job, if one did. */
export function finishedCondition({ status }: Job): JobCondition | undefined {
  return status?.conditions?.find(
    (condition) =>
      (condition.type === "Complete" || condition.type === "Failed") && condition.status === "True",
  );
}

export function indexOf({ metadata }: Pod): number {
  return Number(metadata.annotations?.[indexAnnotation] ?? "-1");
}
