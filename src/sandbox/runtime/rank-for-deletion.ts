import { isPodReady, podCondition } from "./pod-state.ts";
import type { Pod } from "./pod-types.ts";

const costAnnotation = "controller.kubernetes.io/pod-deletion-cost";
const phases: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

/** Pods in the order in which a controller that has too many lets them go. */
export function rankForDeletion(pods: readonly Pod[]): readonly Pod[] {
  return [...pods].sort(
    (left, right) =>
      Number((left.spec.nodeName ?? "") !== "") - Number((right.spec.nodeName ?? "") !== "") ||
      phaseRank(left) - phaseRank(right) ||
      Number(isPodReady(left)) - Number(isPodReady(right)) ||
      deletionCost(left) - deletionCost(right) ||
      // Those that came later go first.
      readySince(right) - readySince(left) ||
      restarts(right) - restarts(left) ||
      createdAt(right) - createdAt(left),
  );
}

function phaseRank({ status }: Pod): number {
  return phases[status?.phase ?? ""] ?? 0;
}

function deletionCost({ metadata }: Pod): number {
  const cost = Number(metadata.annotations?.[costAnnotation] ?? "0");
  return Number.isFinite(cost) ? cost : 0;
}

function readySince(pod: Pod): number {
  return isPodReady(pod)
    ? Date.parse(podCondition(pod, "Ready")?.lastTransitionTime ?? "") || 0
    : 0;
}

function restarts({ status }: Pod): number {
  return Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount }) => restartCount));
}

function createdAt({ metadata }: Pod): number {
  return Date.parse(metadata.creationTimestamp ?? "") || 0;
}
