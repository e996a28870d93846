import { type Cluster, isApiError } from "../cluster/index.ts";
import { fail } from "../diagnostics/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import type { GroupReference } from "./group-reference.ts";

const durationSeconds = 30;
const renewEveryMs = 10_000;
const retryEveryMs = 1_000;

export interface LeaseOptions {
  readonly holder: string;
  /** How long to wait for another run to end. */
  readonly waitMs: number;
  /** Told once when another run is waited for. */
  readonly onWait?: (holder: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** The right to change one inventory, kept until it is released. */
export interface HeldLease {
  /** Aborts when the right was lost: somebody took it over while we were out of reach. */
  readonly lost: AbortSignal;
  readonly release: () => Promise<void>;
}

/** Takes the Lease named after a ResourceGroup, or fails with the name of who holds it. */
export async function takeLease(
  cluster: Cluster,
  group: GroupReference,
  options: LeaseOptions,
): Promise<HeldLease> {
  const deadline = Date.now() + options.waitMs;
  let hasTold = false;
  for (;;) {
    options.signal?.throwIfAborted();
    const taken = await tryTake(cluster, group, options.holder);
    if (taken.kind === "held") return keepRenewing(cluster, group, options.holder, taken.lease);
    if (Date.now() >= deadline) {
      fail({
        code: "live.locked",
        summary: `another run changes the inventory ${group.namespace}/${group.name}: ${taken.holder} holds its Lease`,
        hint: `wait for it to end; a run that died loses the Lease after ${durationSeconds} s`,
      });
    }
    if (!hasTold) options.onWait?.(taken.holder);
    hasTold = true;
    await new Promise((resolve) => setTimeout(resolve, retryEveryMs));
  }
}

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly renewTime?: string;
}

type Taken =
  | { readonly kind: "held"; readonly lease: KubernetesObject }
  | { readonly kind: "busy"; readonly holder: string };

async function tryTake(cluster: Cluster, group: GroupReference, holder: string): Promise<Taken> {
  const found = await cluster.find({
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    namespace: group.namespace,
    name: group.name,
  });
  const spec = (found?.["spec"] ?? {}) as LeaseSpec;
  const current = spec.holderIdentity ?? "";
  const expires =
    Date.parse(spec.renewTime ?? "") + (spec.leaseDurationSeconds ?? durationSeconds) * 1000;
  if (current !== "" && current !== holder && expires > Date.now())
    return { kind: "busy", holder: current };
  try {
    const lease = leaseObject(group, holder, found);
    const written = found === undefined ? await cluster.create(lease) : await cluster.update(lease);
    return { kind: "held", lease: written };
  } catch (error) {
    // Somebody was faster between our look and our write.
    if (isApiError(error, "Conflict") || isApiError(error, "AlreadyExists"))
      return { kind: "busy", holder: current === "" ? "another run" : current };
    throw error;
  }
}

function leaseObject(
  group: GroupReference,
  holder: string,
  live: KubernetesObject | undefined,
): KubernetesObject {
  const now = `${new Date().toISOString().slice(0, -1)}000Z`;
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: {
      name: group.name,
      namespace: group.namespace,
      ...(live?.metadata.resourceVersion === undefined
        ? {}
        : { resourceVersion: live.metadata.resourceVersion }),
    },
    spec: {
      holderIdentity: holder,
      leaseDurationSeconds: durationSeconds,
      acquireTime: now,
      renewTime: now,
    },
  };
}

function keepRenewing(
  cluster: Cluster,
  group: GroupReference,
  holder: string,
  first: KubernetesObject,
): HeldLease {
  const lost = new AbortController();
  let lease = first;
  let renewing: Promise<void> = Promise.resolve();
  let lastRenewed = Date.now();
  const renew = async (): Promise<void> => {
    try {
      lease = await cluster.update(leaseObject(group, holder, lease));
      lastRenewed = Date.now();
    } catch (error) {
      const isTaken = isApiError(error, "Conflict") || isApiError(error, "NotFound");
      if (isTaken || Date.now() - lastRenewed > durationSeconds * 1000) lost.abort();
    }
  };
  const timer = setInterval(() => {
    renewing = renewing.then(renew);
  }, renewEveryMs);
  timer.unref();
  return {
    lost: lost.signal,
    release: async () => {
      clearInterval(timer);
      await renewing;
      try {
        const { uid, resourceVersion } = lease.metadata;
        await cluster.delete(
          {
            apiVersion: "coordination.k8s.io/v1",
            kind: "Lease",
            namespace: group.namespace,
            name: group.name,
          },
          { uid, resourceVersion },
        );
      } catch {
        // It expires by itself; whoever took it over keeps it.
      }
    },
  };
}
