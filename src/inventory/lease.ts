import { randomUUID } from "node:crypto";
import { type Cluster, isApiError, isNotFound } from "../cluster/index.ts";
import { DiagnosticError, fail } from "../diagnostics/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import type { GroupReference } from "./group-reference.ts";

const durationSeconds = 30;
const renewEveryMs = 10_000;
const retryEveryMs = 1_000;
/** Whoever could not renew for this long stops, before others may take over. */
const lostAfterMs = 25_000;
/** Tells apart two runs of one process, which have the same holder. */
const runAnnotation = "keelson.dev/run";

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
  const owner = { holder: options.holder, run: randomUUID() };
  let hasTold = false;
  for (;;) {
    options.signal?.throwIfAborted();
    const taken = await tryTake(cluster, group, owner);
    if (taken.kind === "held") return keepRenewing(cluster, group, owner, taken.lease);
    if (Date.now() >= deadline) {
      fail({
        code: "live.locked",
        summary: `another run changes the inventory ${group.namespace}/${group.name}: ${taken.holder} holds its Lease`,
        hint: `wait for it to end; a run that died loses the Lease after ${durationSeconds} s`,
      });
    }
    if (!hasTold) options.onWait?.(taken.holder);
    hasTold = true;
    await pause(Math.min(retryEveryMs, deadline - Date.now()), options.signal);
  }
}

interface Owner {
  readonly holder: string;
  readonly run: string;
}

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly renewTime?: string;
}

type Taken =
  | { readonly kind: "held"; readonly lease: KubernetesObject }
  | { readonly kind: "busy"; readonly holder: string };

async function tryTake(cluster: Cluster, group: GroupReference, owner: Owner): Promise<Taken> {
  const found = await cluster.find(referenceOf(group));
  const spec = (found?.["spec"] ?? {}) as LeaseSpec;
  const current = spec.holderIdentity ?? "";
  const expires =
    Date.parse(spec.renewTime ?? "") + (spec.leaseDurationSeconds ?? durationSeconds) * 1000;
  if (current !== "" && !isOurs(found, owner) && expires > Date.now())
    return { kind: "busy", holder: current };
  try {
    const lease = leaseObject(group, owner, found);
    const written = found === undefined ? await cluster.create(lease) : await cluster.update(lease);
    return { kind: "held", lease: written };
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    // Somebody was faster, or our own write came through and only its answer was lost.
    const now = await cluster.find(referenceOf(group));
    if (now !== undefined && isOurs(now, owner)) return { kind: "held", lease: now };
    if (!isApiError(error, "Conflict", "AlreadyExists")) throw error;
    const { holderIdentity } = (now?.["spec"] ?? {}) as LeaseSpec;
    return { kind: "busy", holder: holderIdentity ?? "another run" };
  }
}

function isOurs(lease: KubernetesObject | undefined, { run }: Owner): boolean {
  return lease?.metadata.annotations?.[runAnnotation] === run;
}

function referenceOf({ namespace, name }: GroupReference): {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
} {
  return { apiVersion: "coordination.k8s.io/v1", kind: "Lease", namespace, name };
}

function leaseObject(
  group: GroupReference,
  { holder, run }: Owner,
  live: KubernetesObject | undefined,
): KubernetesObject {
  const now = `${new Date().toISOString().slice(0, -1)}000Z`;
  const before = (live?.["spec"] ?? {}) as { readonly acquireTime?: string };
  const { apiVersion, kind, name, namespace } = referenceOf(group);
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      namespace,
      annotations: { [runAnnotation]: run },
      ...(live?.metadata.resourceVersion === undefined
        ? {}
        : { resourceVersion: live.metadata.resourceVersion }),
    },
    spec: {
      holderIdentity: holder,
      leaseDurationSeconds: durationSeconds,
      acquireTime: isOurs(live, { holder, run }) ? (before.acquireTime ?? now) : now,
      renewTime: now,
    },
  };
}

function keepRenewing(
  cluster: Cluster,
  group: GroupReference,
  owner: Owner,
  first: KubernetesObject,
): HeldLease {
  const lost = new AbortController();
  let lease = first;
  let renewing: Promise<void> = Promise.resolve();
  let lastRenewed = Date.now();
  const renew = async (): Promise<void> => {
    const began = Date.now();
    const renewed = await renewOnce(cluster, group, owner, lease);
    if (renewed === "taken") lost.abort();
    else if (renewed !== "unknown") {
      lease = renewed;
      lastRenewed = began;
    } else if (Date.now() - lastRenewed > lostAfterMs) lost.abort();
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
      if (!lost.signal.aborted) await giveUp(cluster, group, owner, lease);
    },
  };
}

/** Writes a new time into the Lease; says when it is somebody else's, or when nobody knows. */
async function renewOnce(
  cluster: Cluster,
  group: GroupReference,
  owner: Owner,
  lease: KubernetesObject,
): Promise<KubernetesObject | "taken" | "unknown"> {
  try {
    return await cluster.update(leaseObject(group, owner, lease));
  } catch {
    // The answer to an earlier renewal may have been lost: then the version is another, not the owner.
    try {
      const now = await cluster.find(referenceOf(group));
      if (now === undefined) return await recreate(cluster, group, owner);
      return isOurs(now, owner) ? await cluster.update(leaseObject(group, owner, now)) : "taken";
    } catch {
      return "unknown";
    }
  }
}

/**
 * The Lease was deleted. In a namespace that is going away nobody can make another one, so that the
 * right is still ours.
 */
async function recreate(
  cluster: Cluster,
  group: GroupReference,
  owner: Owner,
): Promise<KubernetesObject | "taken" | "unknown"> {
  const lease = leaseObject(group, owner, undefined);
  try {
    return await cluster.create(lease);
  } catch (error) {
    if (isApiError(error, "AlreadyExists")) return "taken";
    return isApiError(error, "Forbidden", "NotFound") ? lease : "unknown";
  }
}

/** Deletes the Lease as long as it is ours. Failing that it expires by itself. */
async function giveUp(
  cluster: Cluster,
  group: GroupReference,
  owner: Owner,
  lease: KubernetesObject,
): Promise<void> {
  let current: KubernetesObject | undefined = lease;
  for (let attempt = 0; attempt < 2 && current !== undefined; attempt++) {
    try {
      const { uid, resourceVersion }: KubernetesObject["metadata"] = current.metadata;
      await cluster.delete(referenceOf(group), { uid, resourceVersion });
      return;
    } catch (error) {
      if (isNotFound(error) || !(error instanceof DiagnosticError)) return;
      const now = await cluster.find(referenceOf(group)).catch(() => undefined);
      current = isOurs(now, owner) ? now : undefined;
    }
  }
}

function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, Math.max(0, delayMs));
    signal?.addEventListener("abort", end, { once: true });
  });
}
