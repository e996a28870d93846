import type { KubernetesObject } from "../../objects/index.ts";
import type { Pod, PodTemplate } from "./pod-types.ts";
import type { ObjectSelector } from "../api/object-selector.ts";

export interface StatefulSet extends KubernetesObject {
  readonly spec: {
    readonly replicas?: number;
    readonly selector?: ObjectSelector;
    readonly serviceName?: string;
    readonly template: PodTemplate;
    readonly ordinals?: { readonly start?: number };
    readonly podManagementPolicy?: string;
    readonly minReadySeconds?: number;
    readonly revisionHistoryLimit?: number;
    readonly updateStrategy?: {
      readonly type?: string;
      readonly rollingUpdate?: {
        readonly partition?: number;
        readonly maxUnavailable?: number | string;
      };
    };
    readonly volumeClaimTemplates?: readonly KubernetesObject[];
    readonly persistentVolumeClaimRetentionPolicy?: {
      readonly whenDeleted?: string;
      readonly whenScaled?: string;
    };
  };
  readonly status?: {
    readonly currentRevision?: string;
    readonly updateRevision?: string;
    readonly currentReplicas?: number;
    readonly [field: string]: unknown;
  };
}

export const revisionLabel = "controller-revision-hash";

export function replicasOf({ spec }: StatefulSet): number {
  return spec.replicas ?? 1;
}

export function firstOrdinal({ spec }: StatefulSet): number {
  return spec.ordinals?.start ?? 0;
}

export function isOrdered({ spec }: StatefulSet): boolean {
  return spec.podManagementPolicy !== "Parallel";
}

export function ordinalOf({ metadata }: Pod, set: StatefulSet): number | undefined {
  const prefix = `${set.metadata.name ?? ""}-`;
  const { name = "" } = metadata;
  const digits = name.startsWith(prefix) ? name.slice(prefix.length) : "";
  return /^\d+$/.test(digits) ? Number(digits) : undefined;
}

export function revisionOfPod({ metadata }: Pod): string {
  return metadata.labels?.[revisionLabel] ?? "";
}

export function claimName(template: KubernetesObject, podName: string): string {
  return `${template.metadata.name ?? ""}-${podName}`;
}
