import type { KubernetesObject } from "../../objects/index.ts";
import type { Pod, PodCondition } from "./pod-types.ts";

export function asPod(object: KubernetesObject): Pod {
  return object as Pod;
}

/** Has run to its end, one way or the other. */
export function isFinished({ status }: Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

/** Counts as one of the pods that a controller keeps. */
export function isActive(pod: Pod): boolean {
  return !isFinished(pod) && pod.metadata.deletionTimestamp === undefined;
}

export function isPodTerminating({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined;
}

export function isPodReady(pod: Pod): boolean {
  return podCondition(pod, "Ready")?.status === "True";
}

export function podCondition({ status }: Pod, type: string): PodCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

/** How long until a ready pod counts as available: zero when it does, undefined while unready. */
export function untilAvailableMs(
  pod: Pod,
  minReadySeconds: number,
  now: number,
): number | undefined {
  if (!isPodReady(pod)) return undefined;
  if (minReadySeconds === 0) return 0;
  const since = Date.parse(podCondition(pod, "Ready")?.lastTransitionTime ?? "");
  return Math.max(0, since + minReadySeconds * 1000 - now);
}

export function isAvailable(pod: Pod, minReadySeconds: number, now: number): boolean {
  return untilAvailableMs(pod, minReadySeconds, now) === 0;
}

/** When the next of these pods becomes available, if one is on its way. */
export function nextAvailableMs(
  pods: readonly Pod[],
  minReadySeconds: number,
  now: number,
): number | undefined {
  const delays = pods
    .map((pod) => untilAvailableMs(pod, minReadySeconds, now))
    .filter((delay) => delay !== undefined && delay > 0);
  return delays.length === 0 ? undefined : Math.min(...(delays as number[]));
}
