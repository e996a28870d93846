import type { ObjectReference } from "../cluster/index.ts";
import type { KubernetesObject } from "../objects/index.ts";

/** Tells apart two runs of one process, which have the same holder. */
const runAnnotation = "keelson.dev/run";
/** The process of the holder, for others on the same machine: see `processMark`. */
const processAnnotation = "keelson.dev/process";

/** Where a Lease is. */
export interface LeaseReference {
  readonly namespace: string;
  readonly name: string;
}

/** Whoever has or wants a Lease. */
export interface LeaseOwner {
  readonly holder: string;
  readonly run: string;
  readonly process: string | undefined;
  readonly durationSeconds: number;
}

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
}

export function objectReference({ namespace, name }: LeaseReference): ObjectReference {
  return { apiVersion: "coordination.k8s.io/v1", kind: "Lease", namespace, name };
}

/** Who holds a Lease; empty for nobody. */
export function holderOf(lease: KubernetesObject | undefined): string {
  return specOf(lease).holderIdentity ?? "";
}

export function durationMsOf(lease: KubernetesObject | undefined, usualSeconds: number): number {
  return (specOf(lease).leaseDurationSeconds ?? usualSeconds) * 1000;
}

export function processOf(lease: KubernetesObject | undefined): string {
  return lease?.metadata.annotations?.[processAnnotation] ?? "";
}

export function isOf(lease: KubernetesObject | undefined, { run }: LeaseOwner): boolean {
  return lease?.metadata.annotations?.[runAnnotation] === run;
}

/** The Lease as its owner writes it, on top of what is there: the version guards it. */
export function leaseObject(
  reference: LeaseReference,
  owner: LeaseOwner,
  live: KubernetesObject | undefined,
  wallMs: number,
): KubernetesObject {
  const now = `${new Date(wallMs).toISOString().slice(0, -1)}000Z`;
  const { apiVersion, kind } = objectReference(reference);
  const { name, namespace } = reference;
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      namespace,
      annotations: {
        [runAnnotation]: owner.run,
        ...(owner.process === undefined ? {} : { [processAnnotation]: owner.process }),
      },
      ...(live?.metadata.resourceVersion === undefined
        ? {}
        : { resourceVersion: live.metadata.resourceVersion }),
    },
    spec: {
      holderIdentity: owner.holder,
      leaseDurationSeconds: owner.durationSeconds,
      acquireTime: isOf(live, owner) ? (specOf(live).acquireTime ?? now) : now,
      renewTime: now,
    },
  };
}

function specOf(lease: KubernetesObject | undefined): LeaseSpec {
  return lease?.["spec"] ?? {};
}
