import { helmHookOf, type KubernetesObject } from "../../objects/index.ts";
import { conditionOf, conditionsOf } from "../conditions.ts";
import type { ReadinessContext } from "../readiness-context.ts";
import { type Readiness, current, failed, inProgress } from "../readiness.ts";

interface ContainerStatus {
  readonly name: string;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
}

interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly terminated?: {
    readonly reason?: string;
    readonly exitCode?: number;
    readonly message?: string;
  };
}

interface PodStatus {
  readonly phase?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
}

const imageTrouble = ["ImagePullBackOff", "ErrImagePull", "InvalidImageName", "ErrImageNeverPull"];
const configTrouble = ["CreateContainerConfigError", "CreateContainerError"];

export function pod(object: KubernetesObject, context: ReadinessContext): Readiness {
  const status = (object["status"] ?? {}) as PodStatus;
  if (status.phase === "Succeeded") return current("Pod has completed", "Completed");
  if (status.phase === "Failed") {
    const message = status.message ?? endedContainer(status) ?? "Pod has failed";
    return failed(status.reason ?? "Failed", message);
  }
  const ready = conditionOf(conditionsOf(object), "Ready");
  const mustComplete = context.jobsMustComplete === true && helmHookOf(object) !== undefined;
  if (status.phase === "Running" && ready?.status === "True")
    return mustComplete ? inProgress("Running", "Pod is running") : current("Pod is ready");
  const trouble = containerTrouble(object, status, context);
  if (trouble !== undefined) return trouble;
  return status.phase === "Running"
    ? inProgress("ContainersNotReady", ready?.message ?? "Pod is running but not ready")
    : scheduling(object);
}

/** Containers that will not come up by themselves. */
function containerTrouble(
  object: KubernetesObject,
  status: PodStatus,
  context: ReadinessContext,
): Readiness | undefined {
  for (const container of [
    ...(status.initContainerStatuses ?? []),
    ...(status.containerStatuses ?? []),
  ]) {
    const waiting = container.state?.waiting;
    if (waiting?.reason === "CrashLoopBackOff") {
      const ended = container.lastState?.terminated;
      const line = context.lastLogLine?.(object, container.name);
      const parts = [
        `container ${container.name} is crash-looping`,
        ended?.reason === "OOMKilled" ? "out of memory" : `exit ${ended?.exitCode ?? "?"}`,
        ...(line === undefined ? [] : [`last log line: ${line}`]),
      ];
      return failed("CrashLoopBackOff", parts.join(", "));
    }
    if (waiting?.reason !== undefined && imageTrouble.includes(waiting.reason)) {
      return failed(
        waiting.reason,
        `container ${container.name}: ${waiting.message ?? "the image cannot be pulled"}`,
      );
    }
    if (waiting?.reason !== undefined && configTrouble.includes(waiting.reason)) {
      return inProgress(
        waiting.reason,
        `container ${container.name}: ${waiting.message ?? waiting.reason}`,
      );
    }
  }
  return undefined;
}

/** A pod that no node takes is what makes an autoscaler add one, however long that takes. */
function scheduling(object: KubernetesObject): Readiness {
  const scheduled = conditionOf(conditionsOf(object), "PodScheduled");
  return scheduled?.status === "False" && scheduled.reason === "Unschedulable"
    ? inProgress("Unschedulable", scheduled.message ?? "no node takes the pod")
    : inProgress("Pending", "Pod is pending");
}

function endedContainer({ containerStatuses = [] }: PodStatus): string | undefined {
  for (const { name, state } of containerStatuses) {
    const ended = state?.terminated;
    if (ended !== undefined && ended.exitCode !== 0)
      return `container ${name} ended with exit ${ended.exitCode ?? "?"}`;
  }
  return undefined;
}
