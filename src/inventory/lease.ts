import { randomUUID } from "node:crypto";
import { type Cluster, isApiError, isNotFound } from "../cluster/index.ts";
import { DiagnosticError, fail } from "../diagnostics/index.ts";
import type { KubernetesObject } from "../objects/index.ts";

const usualSeconds = 30;
const retryEveryMs = 1_000;
/** Tells apart two runs of one process, which have the same holder. */
const runAnnotation = "keelson.dev/run";

/** Where a Lease is. */
export interface LeaseReference {
  readonly namespace: string;
  readonly name: string;
}

export interface LeaseOptions {
  readonly holder: string;
  /** How long it lasts without being renewed, which happens three times as often. */
  readonly durationSeconds?: number;
  /** How long to wait for another run to end. */
  readonly waitMs: number;
  /** Told once when another run is waited for. */
  readonly onWait?: (holder: string) => void;
  /** Waits until another attempt is worth it; without it one is made each second. */
  readonly untilWorthIt?: (expiresAtMs: number) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

/** A right that only one has at a time, kept until it is released. */
export interface HeldLease {
  /** Aborts when the right was lost: somebody took it over while we were out of reach. */
  readonly lost: AbortSignal;
  readonly release: () => Promise<void>;
}

/** Takes a Lease, or fails with the name of who holds it. */
export async function takeLease(
  cluster: Cluster,
  reference: LeaseReference,
  options: LeaseOptions,
): Promise<HeldLease> {
  const deadline = Date.now() + options.waitMs;
  const { durationSeconds = usualSeconds, holder } = options;
  const owner = { holder, run: randomUUID(), durationSeconds };
  let hasTold = false;
  for (;;) {
    options.signal?.throwIfAborted();
    const taken = await tryTake(cluster, reference, owner);
    if (taken.kind === "held") return keepRenewing(cluster, reference, owner, taken.lease);
    if (Date.now() >= deadline) {
      fail({
        code: "live.locked",
        summary: `another run changes the inventory ${reference.namespace}/${reference.name}: ${taken.holder} holds its Lease`,
        hint: `wait for it to end; a run that died loses the Lease after ${durationSeconds} s`,
      });
    }
    if (!hasTold) options.onWait?.(taken.holder);
    hasTold = true;
    if (options.untilWorthIt !== undefined) await options.untilWorthIt(taken.expiresAtMs);
    else await pause(Math.min(retryEveryMs, deadline - Date.now()), options.signal);
  }
}

interface Owner {
  readonly holder: string;
  readonly run: string;
  readonly durationSeconds: number;
}

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly renewTime?: string;
}

type Taken =
  | { readonly kind: "held"; readonly lease: KubernetesObject }
  | { readonly kind: "busy"; readonly holder: string; readonly expiresAtMs: number };

async function tryTake(cluster: Cluster, reference: LeaseReference, owner: Owner): Promise<Taken> {
  const found = await cluster.find(referenceOf(reference));
  const spec = (found?.["spec"] ?? {}) as LeaseSpec;
  const current = spec.holderIdentity ?? "";
  const expiresAtMs = expiryOf(spec);
  if (current !== "" && !isOurs(found, owner) && expiresAtMs > Date.now())
    return { kind: "busy", holder: current, expiresAtMs };
  try {
    const lease = leaseObject(reference, owner, found);
    const written = found === undefined ? await cluster.create(lease) : await cluster.update(lease);
    return { kind: "held", lease: written };
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    // Somebody was faster, or our own write came through and only its answer was lost.
    const now = await cluster.find(referenceOf(reference));
    if (now !== undefined && isOurs(now, owner)) return { kind: "held", lease: now };
    if (!isApiError(error, "Conflict", "AlreadyExists")) throw error;
    const other = (now?.["spec"] ?? {}) as LeaseSpec;
    return {
      kind: "busy",
      holder: other.holderIdentity ?? "another run",
      expiresAtMs: expiryOf(other),
    };
  }
}

/** When a Lease may be taken over, milliseconds since 1970. */
function expiryOf({ renewTime, leaseDurationSeconds = usualSeconds }: LeaseSpec): number {
  return Date.parse(renewTime ?? "") + leaseDurationSeconds * 1000;
}

function isOurs(lease: KubernetesObject | undefined, { run }: Owner): boolean {
  return lease?.metadata.annotations?.[runAnnotation] === run;
}

function referenceOf({ namespace, name }: LeaseReference): {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
} {
  return { apiVersion: "coordination.k8s.io/v1", kind: "Lease", namespace, name };
}

function leaseObject(
  reference: LeaseReference,
  owner: Owner,
  live: KubernetesObject | undefined,
): KubernetesObject {
  const now = `${new Date().toISOString().slice(0, -1)}000Z`;
  const before = (live?.["spec"] ?? {}) as { readonly acquireTime?: string };
  const { apiVersion, kind, name, namespace } = referenceOf(reference);
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      namespace,
      annotations: { [runAnnotation]: owner.run },
      ...(live?.metadata.resourceVersion === undefined
        ? {}
        : { resourceVersion: live.metadata.resourceVersion }),
    },
    spec: {
      holderIdentity: owner.holder,
      leaseDurationSeconds: owner.durationSeconds,
      acquireTime: isOurs(live, owner) ? (before.acquireTime ?? now) : now,
      renewTime: now,
    },
  };
}

function keepRenewing(
  cluster: Cluster,
  reference: LeaseReference,
  owner: Owner,
  first: KubernetesObject,
): HeldLease {
  const lost = new AbortController();
  let lease = first;
  let renewing: Promise<void> = Promise.resolve();
  let lastRenewed = Date.now();
  const renew = async (): Promise<void> => {
    const began = Date.now();
    const renewed = await renewOnce(cluster, reference, owner, lease);
    if (renewed === "taken") lost.abort();
    else if (renewed !== "unknown") {
      lease = renewed;
      lastRenewed = began;
      // Whoever could not renew for that long stops, before others may take over.
    } else if (Date.now() - lastRenewed > (owner.durationSeconds * 5000) / 6) lost.abort();
  };
  const timer = setInterval(
    () => {
      renewing = renewing.then(renew);
    },
    (owner.durationSeconds * 1000) / 3,
  );
  timer.unref();
  return {
    lost: lost.signal,
    release: async () => {
      clearInterval(timer);
      await renewing;
      if (!lost.signal.aborted) await giveUp(cluster, reference, owner, lease);
    },
  };
}

/** Writes a new time into the Lease; says when it is somebody else's, or when nobody knows. */
async function renewOnce(
  cluster: Cluster,
  reference: LeaseReference,
  owner: Owner,
  lease: KubernetesObject,
): Promise<KubernetesObject | "taken" | "unknown"> {
  try {
    return await cluster.update(leaseObject(reference, owner, lease));
  } catch {
    // The answer to an earlier renewal may have been lost: then the version is another, not the owner.
    try {
      const now = await cluster.find(referenceOf(reference));
      if (now === undefined) return await recreate(cluster, reference, owner);
      return isOurs(now, owner)
        ? await cluster.update(leaseObject(reference, owner, now))
        : "taken";
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
  reference: LeaseReference,
  owner: Owner,
): Promise<KubernetesObject | "taken" | "unknown"> {
  const lease = leaseObject(reference, owner, undefined);
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
  reference: LeaseReference,
  owner: Owner,
  lease: KubernetesObject,
): Promise<void> {
  let current: KubernetesObject | undefined = lease;
  for (let attempt = 0; attempt < 2 && current !== undefined; attempt++) {
    try {
      const { uid, resourceVersion }: KubernetesObject["metadata"] = current.metadata;
      await cluster.delete(referenceOf(reference), { uid, resourceVersion });
      return;
    } catch (error) {
      if (isNotFound(error) || !(error instanceof DiagnosticError)) return;
      const now = await cluster.find(referenceOf(reference)).catch(() => undefined);
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
