import type { Condition } from "../../causes/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { intOrPercent } from "./int-or-percent.ts";
import type { PodTemplate } from "./pod-types.ts";
import type { ObjectSelector } from "../api/object-selector.ts";

export interface Deployment extends KubernetesObject {
  readonly spec: DeploymentSpec;
  readonly status?: DeploymentStatus;
}

interface DeploymentSpec {
  readonly replicas?: number;
  readonly selector?: ObjectSelector;
  readonly template: PodTemplate;
  readonly strategy?: {
    readonly type?: string;
    readonly rollingUpdate?: {
      readonly maxSurge?: number | string;
      readonly maxUnavailable?: number | string;
    };
  };
  readonly minReadySeconds?: number;
  readonly revisionHistoryLimit?: number;
  readonly paused?: boolean;
  readonly progressDeadlineSeconds?: number;
}

export interface DeploymentStatus {
  readonly observedGeneration?: number;
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly unavailableReplicas?: number;
  readonly terminatingReplicas?: number;
  readonly conditions?: readonly DeploymentCondition[];
  readonly collisionCount?: number;
}

export interface DeploymentCondition extends Condition {
  readonly lastUpdateTime?: string;
}

export interface ReplicaSet extends KubernetesObject {
  readonly spec: {
    readonly replicas?: number;
    readonly selector?: ObjectSelector;
    readonly minReadySeconds?: number;
    readonly template: PodTemplate;
  };
  readonly status?: {
    readonly replicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly terminatingReplicas?: number;
    readonly observedGeneration?: number;
    readonly conditions?: readonly Condition[];
  };
}

export const revisionAnnotation = "deployment.kubernetes.io/revision";
export const revisionHistoryAnnotation = "deployment.kubernetes.io/revision-history";
export const desiredAnnotation = "deployment.kubernetes.io/desired-replicas";
export const maxAnnotation = "deployment.kubernetes.io/max-replicas";
export const hashLabel = "pod-template-hash";

export function wantedReplicas({ spec }: Deployment | ReplicaSet): number {
  return spec.replicas ?? 1;
}

export function isRolling({ spec }: Deployment): boolean {
  return spec.strategy?.type !== "Recreate";
}

/** How many pods may be too many while rolling. */
export function maxSurge(deployment: Deployment): number {
  if (!isRolling(deployment)) return 0;
  const { maxSurge: surge } = deployment.spec.strategy?.rollingUpdate ?? {};
  return intOrPercent(surge, wantedReplicas(deployment), "up");
}

/** How many pods may be missing while rolling. */
export function maxUnavailable(deployment: Deployment): number {
  const replicas = wantedReplicas(deployment);
  if (!isRolling(deployment) || replicas === 0) return 0;
  const { maxUnavailable: missing } = deployment.spec.strategy?.rollingUpdate ?? {};
  const resolved = intOrPercent(missing, replicas, "down");
  // With neither room above nor below nothing could ever move.
  const needed = resolved === 0 && maxSurge(deployment) === 0 ? 1 : resolved;
  return Math.min(needed, replicas);
}

export function revisionOf({ metadata }: KubernetesObject): number {
  const revision = Number(metadata.annotations?.[revisionAnnotation] ?? "0");
  return Number.isFinite(revision) ? revision : 0;
}

export function total(
  sets: readonly ReplicaSet[],
  count: (set: ReplicaSet) => number | undefined,
): number {
  return sets.reduce((sum, set) => sum + (count(set) ?? 0), 0);
}
