import type { KubernetesObject } from "../objects/index.ts";
import type { Cause } from "./cause.ts";
import { conditionOf, conditionsOf } from "./conditions.ts";
import { eventsOf } from "./events.ts";
import type { CauseFacts } from "./cause-facts.ts";
import { imageReasons } from "./image-cause.ts";
import { kubectlCommand } from "./kubectl-command.ts";
import { podCause } from "./pod-cause.ts";
import { refusalCause } from "./refusal-cause.ts";

const deepest = 4;
const workloads = [
  "Deployment",
  "StatefulSet",
  "DaemonSet",
  "ReplicaSet",
  "ReplicationController",
  "Job",
];

/**
 * Why an owner is not ready, as what it owns says: the pod of a ReplicaSet of a Deployment, and so on.
 * The first cause that does not pass counts, or else the first one.
 */
export function childCause(owner: KubernetesObject, facts: CauseFacts): Cause | undefined {
  const found = causesBelow(owner, facts, 0);
  const cause = found.find(({ isFinal }) => isFinal) ?? found[0];
  return cause === undefined
    ? undefined
    : { ...cause, summary: `${cause.summary}${restOf(owner)}` };
}

function causesBelow(owner: KubernetesObject, facts: CauseFacts, depth: number): readonly Cause[] {
  if (depth >= deepest) return [];
  const children = (facts.childrenOf?.(owner) ?? []).filter(
    (child) => child.metadata.deletionTimestamp === undefined && !isReplaced(child, owner),
  );
  return [
    ...refusedPods(owner, facts, children),
    ...children.flatMap((child) =>
      child.kind === "Pod"
        ? causesOfPod(child, owner, facts)
        : causesBelow(child, facts, depth + 1),
    ),
  ];
}

function causesOfPod(
  pod: KubernetesObject,
  owner: KubernetesObject,
  facts: CauseFacts,
): readonly Cause[] {
  const cause = podCause(pod, facts);
  if (cause === undefined) return [];
  // Of a pod of a Job that failed its controller says whether another one is tried.
  const isRetried = owner.kind === "Job" && !imageReasons.includes(cause.reason);
  return [isRetried ? { ...cause, isFinal: false } : cause];
}

/** Pods that could not even be created, for a quota or an admission rule; this is tried again and again. */
function refusedPods(
  owner: KubernetesObject,
  facts: CauseFacts,
  children: readonly KubernetesObject[],
): readonly Cause[] {
  const failure = conditionOf(conditionsOf(owner), "ReplicaFailure");
  const told =
    failure?.status === "True"
      ? {
          reason: failure.reason,
          message: failure.message ?? "",
          since: failure.lastTransitionTime,
        }
      : refusalEvent(owner, facts, children);
  if (told === undefined) return [];
  const refusal = refusalCause(told.message);
  return [
    {
      reason: told.reason ?? "FailedCreate",
      summary: refusal?.summary ?? `its pods are refused: ${withoutOpening(told.message)}`,
      evidence: told.message === "" ? undefined : told.message,
      since: told.since,
      action: kubectlCommand("describe", owner),
      isFinal: false,
    },
  ];
}

/** Only some controllers write a condition; all write an event. */
function refusalEvent(
  owner: KubernetesObject,
  facts: CauseFacts,
  children: readonly KubernetesObject[],
):
  | { readonly reason: string; readonly message: string; readonly since: string | undefined }
  | undefined {
  if (!workloads.includes(owner.kind) || owner.kind === "Deployment" || children.length > 0)
    return undefined;
  const newest = eventsOf(owner, facts).find(({ reason }) =>
    ["FailedCreate", "SuccessfulCreate"].includes(reason),
  );
  return newest?.reason === "FailedCreate" ? { ...newest, since: newest.first } : undefined;
}

function withoutOpening(message: string): string {
  const text = message.replace(/^Error creating: /, "");
  const found = /is forbidden: (.*)$/s.exec(text) ?? /is invalid: (.*)$/s.exec(text);
  return found?.[1] ?? (text === "" ? "no reason is given" : text);
}

const revisionAnnotation = "deployment.kubernetes.io/revision";

/**
 * Whether a Deployment is about to replace this ReplicaSet by a newer one: pods that fail in the old
 * one are often the reason for the new one, and say nothing about it.
 */
function isReplaced(child: KubernetesObject, owner: KubernetesObject): boolean {
  if (owner.kind !== "Deployment" || child.kind !== "ReplicaSet") return false;
  const desired = owner.metadata.annotations?.[revisionAnnotation];
  const revision = child.metadata.annotations?.[revisionAnnotation];
  return desired !== undefined && revision !== undefined && desired !== revision;
}

/** How far the others are, as long as any is ready; and who waits for the one that is not. */
function restOf(owner: KubernetesObject): string {
  const { spec = {}, status = {} } = owner as {
    readonly spec?: { readonly replicas?: number; readonly podManagementPolicy?: string };
    readonly status?: Readonly<Record<string, number | undefined>>;
  };
  if (owner.kind === "DaemonSet") {
    const ready = status["numberReady"] ?? 0;
    return ready === 0
      ? ""
      : `; ready on ${ready} of ${status["desiredNumberScheduled"] ?? "?"} nodes`;
  }
  const desired = spec.replicas ?? 1;
  const ready = status["readyReplicas"] ?? 0;
  const isOrdered = owner.kind === "StatefulSet" && spec.podManagementPolicy !== "Parallel";
  const missing = desired - (status["replicas"] ?? desired);
  const waiting =
    isOrdered && missing > 0
      ? `; ${missing} more ${missing === 1 ? "pod waits" : "pods wait"} for it`
      : "";
  const isCounted = ["Deployment", "ReplicaSet", "StatefulSet"].includes(owner.kind);
  return `${isCounted && ready > 0 ? `; ${ready} of ${desired} ready` : ""}${waiting}`;
}
