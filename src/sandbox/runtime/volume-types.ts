import type { KubernetesObject } from "../../objects/index.ts";
import type { ObjectSelector } from "../api/object-selector.ts";

export interface Claim extends KubernetesObject {
  readonly spec: {
    readonly accessModes?: readonly string[];
    readonly resources?: { readonly requests?: Readonly<Record<string, string>> };
    readonly selector?: ObjectSelector;
    readonly storageClassName?: string;
    readonly volumeMode?: string;
    readonly volumeName?: string;
  };
  readonly status?: {
    readonly phase?: string;
    readonly capacity?: Readonly<Record<string, string>>;
    readonly [field: string]: unknown;
  };
}

export interface PersistentVolume extends KubernetesObject {
  readonly spec: {
    readonly accessModes?: readonly string[];
    readonly capacity?: Readonly<Record<string, string>>;
    readonly claimRef?: ClaimReference;
    readonly persistentVolumeReclaimPolicy?: string;
    readonly storageClassName?: string;
    readonly volumeMode?: string;
    readonly [field: string]: unknown;
  };
  readonly status?: { readonly phase?: string; readonly [field: string]: unknown };
}

interface ClaimReference {
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
}

export const boundByController = "pv.kubernetes.io/bound-by-controller";
export const bindCompleted = "pv.kubernetes.io/bind-completed";

/** Whether a volume is kept for a claim; a reference without uid was written by hand. */
export function isFor({ spec }: PersistentVolume, { metadata }: Claim): boolean {
  const { namespace, name, uid } = spec.claimRef ?? {};
  if (namespace !== metadata.namespace || name !== metadata.name) return false;
  return uid === undefined || uid === "" || uid === metadata.uid;
}

export function requestOf({ spec }: Claim): string {
  return spec.resources?.requests?.["storage"] ?? "0";
}
