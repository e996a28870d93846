import { apiVersionOf, type KubernetesObject } from "../../objects/index.ts";
import { type ServedResource } from "./served-resource.ts";

/**
 * An object in another version of its resource. Custom resources and nearly all built-in kinds differ in
 * their apiVersion only; those that differ in shape have a conversion here.
 */
export function convertVersion(
  object: KubernetesObject,
  resource: ServedResource,
): KubernetesObject {
  const renamed = { ...object, apiVersion: apiVersionOf(resource) };
  const convert = conversions[`${object.apiVersion} → ${renamed.apiVersion} ${resource.kind}`];
  return convert?.(renamed) ?? renamed;
}

const conversions: Readonly<Record<string, (object: KubernetesObject) => KubernetesObject>> = {
  "v1 → events.k8s.io/v1 Event": eventToNew,
  "events.k8s.io/v1 → v1 Event": eventToOld,
  "autoscaling/v2 → autoscaling/v1 HorizontalPodAutoscaler": autoscalerToOld,
  "autoscaling/v1 → autoscaling/v2 HorizontalPodAutoscaler": autoscalerToNew,
};

function eventToNew(event: KubernetesObject): KubernetesObject {
  const {
    involvedObject,
    message,
    source,
    firstTimestamp,
    lastTimestamp,
    count,
    reportingComponent,
    ...rest
  } = event as KubernetesObject & Readonly<Record<string, unknown>>;
  return {
    ...rest,
    regarding: involvedObject,
    note: message,
    deprecatedSource: source,
    deprecatedFirstTimestamp: firstTimestamp,
    deprecatedLastTimestamp: lastTimestamp,
    deprecatedCount: count,
    reportingController: reportingComponent,
  };
}

function eventToOld(event: KubernetesObject): KubernetesObject {
  const {
    regarding,
    note,
    deprecatedSource,
    deprecatedFirstTimestamp,
    deprecatedLastTimestamp,
    deprecatedCount,
    reportingController,
    ...rest
  } = event as KubernetesObject & Readonly<Record<string, unknown>>;
  return {
    ...rest,
    involvedObject: regarding ?? {},
    message: note,
    source: deprecatedSource ?? {},
    firstTimestamp: deprecatedFirstTimestamp ?? null,
    lastTimestamp: deprecatedLastTimestamp ?? null,
    count: deprecatedCount,
    reportingComponent: reportingController ?? "",
  };
}

interface CpuMetric {
  readonly type: string;
  readonly resource?: {
    readonly name: string;
    readonly target?: { readonly type?: string; readonly averageUtilization?: number };
  };
}

function autoscalerToOld(object: KubernetesObject): KubernetesObject {
  const {
    metrics,
    behavior: _behavior,
    ...spec
  } = (object["spec"] ?? {}) as { metrics?: readonly CpuMetric[]; behavior?: unknown };
  const cpu = metrics?.find(
    ({ type, resource }) => type === "Resource" && resource?.name === "cpu",
  );
  const percentage = cpu?.resource?.target?.averageUtilization;
  const {
    currentMetrics: _metrics,
    conditions: _conditions,
    ...status
  } = (object["status"] ?? {}) as Readonly<Record<string, unknown>>;
  return {
    ...object,
    spec: {
      ...spec,
      ...(percentage === undefined ? {} : { targetCPUUtilizationPercentage: percentage }),
    },
    status,
  };
}

function autoscalerToNew(object: KubernetesObject): KubernetesObject {
  const { targetCPUUtilizationPercentage: percentage, ...spec } = (object["spec"] ?? {}) as {
    targetCPUUtilizationPercentage?: number;
  };
  const target = { type: "Utilization", averageUtilization: percentage };
  const metrics = [{ type: "Resource", resource: { name: "cpu", target } }];
  return { ...object, spec: { ...spec, ...(percentage === undefined ? {} : { metrics }) } };
}
