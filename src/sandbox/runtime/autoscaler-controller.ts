import type { Condition } from "../../causes/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { transitionTime } from "./conditions.ts";
import type { Controller, ObjectKey } from "./controller.ts";
import { type Runtime, deployments, replicaSets, statefulSets } from "./runtime.ts";
import { putStatus } from "./put-status.ts";

const autoscalers = "autoscaling/horizontalpodautoscalers";

const targets: Readonly<Record<string, string>> = {
  Deployment: deployments,
  ReplicaSet: replicaSets,
  StatefulSet: statefulSets,
  ReplicationController: "/replicationcontrollers",
};

interface Autoscaler extends KubernetesObject {
  readonly spec: {
    readonly scaleTargetRef: { readonly kind: string; readonly name: string };
    readonly minReplicas?: number;
    readonly maxReplicas: number;
    readonly metrics?: readonly Metric[];
  };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly lastScaleTime?: string;
  };
}

interface Metric {
  readonly type: string;
  readonly resource?: {
    readonly name: string;
    readonly target: { readonly averageUtilization?: number; readonly averageValue?: string };
  };
}

/** Keeps targets within their bounds; simulated load is always just what an autoscaler aims at. */
export function autoscalerController(runtime: Runtime): Controller {
  const events = runtime.recorder("horizontal-pod-autoscaler");
  const byTarget = new Map<string, Set<string>>();

  const note = (autoscaler: Autoscaler, namespace: string, name: string): void => {
    const key = targetKey(namespace, autoscaler);
    const names = byTarget.get(key) ?? new Set();
    names.add(name);
    byTarget.set(key, names);
  };

  const sync = (autoscaler: Autoscaler): void => {
    const { scaleTargetRef, minReplicas = 1, maxReplicas } = autoscaler.spec;
    const { namespace = "" } = autoscaler.metadata;
    const resource = targets[scaleTargetRef.kind];
    const target =
      resource === undefined
        ? undefined
        : runtime.client.get(resource, namespace, scaleTargetRef.name);
    if (resource === undefined || target === undefined) {
      putStatus(runtime.client, autoscalers, autoscaler, lost(runtime, autoscaler, resource));
      return;
    }
    const { replicas = 1 } = (target["spec"] ?? {}) as { readonly replicas?: number };
    const wanted = replicas === 0 ? 0 : Math.min(Math.max(replicas, minReplicas), maxReplicas);
    if (wanted !== replicas) {
      runtime.client.update(resource, namespace, scaleTargetRef.name, (live) => ({
        ...live,
        spec: { ...(live["spec"] as object), replicas: wanted },
      }));
      const reason =
        replicas < minReplicas
          ? "Current number of replicas below Spec.MinReplicas"
          : "Current number of replicas above Spec.MaxReplicas";
      const message = `New size: ${wanted}; reason: ${reason}`;
      events.record(autoscaler, { reason: "SuccessfulRescale", message });
    }
    const status = statusOf(runtime, autoscaler, target, wanted, wanted !== replicas);
    putStatus(runtime.client, autoscalers, autoscaler, status);
  };

  return {
    name: "autoscaler",
    watches: [autoscalers, ...Object.values(targets)],
    keysOf: ({ resource, type, stored, previous }) => {
      const { namespace, name } = stored;
      if (resource === autoscalers) {
        if (previous !== undefined)
          byTarget.get(targetKey(namespace, previous.object as Autoscaler))?.delete(name);
        if (type === "DELETED") return [];
        note(stored.object as Autoscaler, namespace, name);
        return [stored];
      }
      if (byTarget.size === 0) return [];
      const kind = Object.entries(targets).find(([, each]) => each === resource)?.[0];
      if (kind === undefined) return [];
      const names = byTarget.get(`${namespace}/${kind}/${name}`) ?? [];
      return [...names].map((each): ObjectKey => ({ namespace, name: each }));
    },
    reconcile: ({ namespace, name }) => {
      const autoscaler = runtime.client.get(autoscalers, namespace, name);
      if (autoscaler !== undefined) sync(autoscaler as Autoscaler);
      return undefined;
    },
  };
}

function targetKey(namespace: string, { spec }: Autoscaler): string {
  return `${namespace}/${spec.scaleTargetRef.kind}/${spec.scaleTargetRef.name}`;
}

function statusOf(
  runtime: Runtime,
  autoscaler: Autoscaler,
  target: KubernetesObject,
  wanted: number,
  isRescaled: boolean,
): object {
  const { replicas: current = 0 } = (target["status"] ?? {}) as { readonly replicas?: number };
  const { metrics = [] } = autoscaler.spec;
  const isOff = wanted === 0;
  const conditions = [
    isRescaled
      ? said(
          "AbleToScale",
          "True",
          "SucceededRescale",
          `the HPA controller was able to update the target scale to ${wanted}`,
        )
      : said("AbleToScale", "True", "ReadyForNewScale", "recommended size matches current size"),
    isOff
      ? said(
          "ScalingActive",
          "False",
          "ScalingDisabled",
          "scaling is disabled since the replica count of the target is zero",
        )
      : said(
          "ScalingActive",
          "True",
          "ValidMetricFound",
          `the HPA was able to successfully calculate a replica count from ${metricName(metrics[0])}`,
        ),
    said(
      "ScalingLimited",
      "False",
      "DesiredWithinRange",
      "the desired count is within the acceptable range",
    ),
  ];
  const lastScaleTime = isRescaled ? runtime.timestamp() : autoscaler.status?.lastScaleTime;
  return {
    ...(lastScaleTime === undefined ? {} : { lastScaleTime }),
    currentReplicas: current,
    desiredReplicas: wanted,
    currentMetrics: isOff ? null : metrics.flatMap(currentOf),
    conditions: timed(runtime, autoscaler, conditions),
  };
}

function lost(runtime: Runtime, autoscaler: Autoscaler, resource: string | undefined): object {
  const { kind, name } = autoscaler.spec.scaleTargetRef;
  const [group = "", plural = ""] = (resource ?? `/${kind.toLowerCase()}s`).split("/");
  const what = group === "" ? plural : `${plural}.${group}`;
  const message = `the HPA controller was unable to get the target's current scale: ${what} "${name}" not found`;
  const conditions = [said("AbleToScale", "False", "FailedGetScale", message)];
  return {
    currentMetrics: null,
    desiredReplicas: 0,
    conditions: timed(runtime, autoscaler, conditions),
  };
}

function said(type: string, status: string, reason: string, message: string): Condition {
  return { type, status, reason, message };
}

function timed(
  runtime: Runtime,
  { status }: Autoscaler,
  conditions: readonly Condition[],
): readonly Condition[] {
  const now = runtime.timestamp();
  return conditions.map(({ type, status: verdict, ...rest }) => ({
    type,
    status: verdict,
    lastTransitionTime: transitionTime(status?.conditions, { type, status: verdict }, now),
    ...rest,
  }));
}

function metricName(metric: Metric | undefined): string {
  const { name = "cpu", target } = metric?.resource ?? {};
  return target?.averageValue === undefined
    ? `${name} resource utilization (percentage of request)`
    : `${name} resource`;
}

function currentOf({ type, resource }: Metric): readonly object[] {
  if (resource === undefined) return [];
  const { averageUtilization, averageValue = "0" } = resource.target;
  const current =
    averageUtilization === undefined ? { averageValue } : { averageUtilization, averageValue };
  return [{ type, resource: { name: resource.name, current } }];
}
