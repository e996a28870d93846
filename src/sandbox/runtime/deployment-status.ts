import { findCondition, transitionTime } from "./conditions.ts";
import {
  type Deployment,
  type DeploymentCondition,
  type DeploymentStatus,
  type ReplicaSet,
  maxUnavailable,
  total,
  wantedReplicas,
} from "./deployment-types.ts";
import { positive } from "./replica-set-controller.ts";

/** The status of a deployment from its sets, with the conditions that follow from numbers alone. */
export function countedStatus(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  newSet: ReplicaSet | undefined,
  now: string,
): DeploymentStatus {
  const available = total(sets, ({ status }) => status?.availableReplicas);
  const all = total(sets, ({ status }) => status?.replicas);
  const specified = total(sets, wantedReplicas);
  const before = deployment.status;
  const conditions = withCondition(before?.conditions, availability(deployment, available), now);
  return {
    ...(before?.collisionCount === undefined ? {} : { collisionCount: before.collisionCount }),
    observedGeneration: deployment.metadata.generation ?? 1,
    ...positive("replicas", all),
    ...positive("updatedReplicas", newSet?.status?.replicas ?? 0),
    ...positive(
      "readyReplicas",
      total(sets, ({ status }) => status?.readyReplicas),
    ),
    ...positive("availableReplicas", available),
    ...positive("unavailableReplicas", specified - available),
    terminatingReplicas: total(sets, ({ status }) => status?.terminatingReplicas),
    conditions,
  };
}

function availability(deployment: Deployment, available: number): DeploymentCondition {
  const isEnough = available >= wantedReplicas(deployment) - maxUnavailable(deployment);
  return isEnough
    ? {
        type: "Available",
        status: "True",
        reason: "MinimumReplicasAvailable",
        message: "Deployment has minimum availability.",
      }
    : {
        type: "Available",
        status: "False",
        reason: "MinimumReplicasUnavailable",
        message: "Deployment does not have minimum availability.",
      };
}

/** Sets a condition; one with the same status and reason stays as it is. */
export function withCondition(
  before: readonly DeploymentCondition[] = [],
  condition: DeploymentCondition,
  now: string,
): readonly DeploymentCondition[] {
  const earlier = findCondition(before, condition.type);
  if (earlier?.status === condition.status && earlier.reason === condition.reason) return before;
  return replaced(before, condition, now);
}

function replaced(
  before: readonly DeploymentCondition[],
  condition: DeploymentCondition,
  now: string,
): readonly DeploymentCondition[] {
  const others = before.filter(({ type }) => type !== condition.type);
  const lastTransitionTime = transitionTime(before, condition, now);
  return [...others, { ...condition, lastUpdateTime: now, lastTransitionTime }];
}

export function hasDeadline({ spec }: Deployment): boolean {
  return (spec.progressDeadlineSeconds ?? 2 ** 31 - 1) < 2 ** 31 - 1;
}

/** Adds to the status how the rollout goes. */
export function withProgress(
  deployment: Deployment,
  status: DeploymentStatus,
  newSet: ReplicaSet | undefined,
  sets: readonly ReplicaSet[],
  nowMs: number,
  now: string,
): DeploymentStatus {
  const current = findCondition(status.conditions, "Progressing");
  const isSettled =
    (status.replicas ?? 0) === (status.updatedReplicas ?? 0) &&
    current?.reason === "NewReplicaSetAvailable";
  let { conditions = [] } = status;
  if (hasDeadline(deployment) && !isSettled) {
    const subject =
      newSet === undefined
        ? `Deployment "${deployment.metadata.name ?? ""}"`
        : `ReplicaSet "${newSet.metadata.name ?? ""}"`;
    if (isComplete(deployment, status)) {
      conditions = withCondition(
        conditions,
        {
          type: "Progressing",
          status: "True",
          reason: "NewReplicaSetAvailable",
          message: `${subject} has successfully progressed.`,
        },
        now,
      );
    } else if (hasProgressed(deployment.status ?? {}, status)) {
      conditions = replaced(
        conditions,
        {
          type: "Progressing",
          status: "True",
          reason: "ReplicaSetUpdated",
          message: `${subject} is progressing.`,
        },
        now,
      );
    } else if ((untilDeadlineMs(deployment, status, nowMs) ?? 1) <= 0) {
      conditions = withCondition(
        conditions,
        {
          type: "Progressing",
          status: "False",
          reason: "ProgressDeadlineExceeded",
          message: `${subject} has timed out progressing.`,
        },
        now,
      );
    }
  }
  return { ...status, conditions: withFailure(conditions, newSet, sets, now) };
}

/** What a set could not do stands in the way of its deployment. */
function withFailure(
  conditions: readonly DeploymentCondition[],
  newSet: ReplicaSet | undefined,
  sets: readonly ReplicaSet[],
  now: string,
): readonly DeploymentCondition[] {
  const ordered = newSet === undefined ? sets : [newSet, ...sets];
  const failure = ordered
    .map(({ status }) => findCondition(status?.conditions, "ReplicaFailure"))
    .find((condition) => condition !== undefined);
  if (failure === undefined) return conditions.filter(({ type }) => type !== "ReplicaFailure");
  const { type, status, reason, message } = failure;
  return withCondition(
    conditions,
    {
      type,
      status,
      ...(reason === undefined ? {} : { reason }),
      ...(message === undefined ? {} : { message }),
    },
    now,
  );
}

export function isComplete(deployment: Deployment, status: DeploymentStatus): boolean {
  const wanted = wantedReplicas(deployment);
  return (
    (status.updatedReplicas ?? 0) === wanted &&
    (status.replicas ?? 0) === wanted &&
    (status.availableReplicas ?? 0) === wanted &&
    (status.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 1)
  );
}

function hasProgressed(before: DeploymentStatus, after: DeploymentStatus): boolean {
  const old = (status: DeploymentStatus): number =>
    (status.replicas ?? 0) - (status.updatedReplicas ?? 0);
  return (
    (after.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    old(after) < old(before) ||
    (after.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (after.availableReplicas ?? 0) > (before.availableReplicas ?? 0)
  );
}

/** How long the rollout may still take without progress; undefined when nobody is waiting. */
export function untilDeadlineMs(
  { spec }: Deployment,
  status: DeploymentStatus,
  nowMs: number,
): number | undefined {
  const condition = findCondition(status.conditions, "Progressing");
  if (condition === undefined || condition.reason === "NewReplicaSetAvailable") return undefined;
  if (condition.reason === "ProgressDeadlineExceeded") return 0;
  const since = Date.parse(condition.lastUpdateTime ?? "");
  return since + (spec.progressDeadlineSeconds ?? 600) * 1000 - nowMs;
}
