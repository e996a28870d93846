import { type Cluster, isApiError } from "../cluster/index.ts";
import { DiagnosticError } from "../diagnostics/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import { type LeaseClock, type Moment, mostSince } from "./lease-clock.ts";
import {
  holderOf,
  isOf,
  leaseObject,
  type LeaseOwner,
  type LeaseReference,
  objectReference,
} from "./lease-object.ts";

/** A right that only one has at a time, kept until it is released. */
export interface HeldLease {
  /** Aborts when the right was lost; its reason is the diagnostic that says to whom. */
  readonly lost: AbortSignal;
  /** Whether it was somebody else's who did not give it back. */
  readonly isTakenOver: boolean;
  /** To be called before every write: resolves when the right is certainly ours, else rejects. */
  readonly fence: () => Promise<void> | undefined;
  /** Gives it back; says so if it turns out that it was not ours any more. */
  readonly release: () => Promise<DiagnosticError | undefined>;
}

export interface KeepOptions {
  readonly cluster: Cluster;
  readonly reference: LeaseReference;
  readonly owner: LeaseOwner;
  readonly clock: LeaseClock;
  /** When the Lease was last written, just before that was sent. */
  readonly since: Moment;
  readonly isTakenOver: boolean;
}

const retryEveryMs = 1_000;
/** For so long nobody who writes asks again: a Lease that somebody deletes or edits is another's at once. */
const freshMs = 2_000;

/** Renews a Lease until it is released or lost. */
export function keepLease(options: KeepOptions, first: KubernetesObject): HeldLease {
  const { reference, owner, clock } = options;
  const durationMs = owner.durationSeconds * 1000;
  const lost = new AbortController();
  let lease = first;
  let lastRenewed = options.since;
  let lastAsked = options.since;
  let failingSince: Moment | undefined;
  let renewing: Promise<void> = Promise.resolve();
  // Others may write only after a whole duration without a renewal: what is sent now arrives before.
  const isSure = (): boolean => mostSince(clock, lastRenewed) < (durationMs * 2) / 3;
  const isFresh = (): boolean => isSure() && mostSince(clock, lastAsked) < freshMs;
  const renew = async (): Promise<void> => {
    if (lost.signal.aborted) return;
    const began = clock.now();
    const renewed = await renewOnce(options, lease);
    if (renewed.kind === "taken") lost.abort(lostTo(reference, renewed.holder));
    else if (renewed.kind === "held") {
      lease = renewed.lease;
      lastRenewed = began;
      lastAsked = began;
      failingSince = undefined;
    } else {
      lastAsked = clock.now();
      failingSince ??= began;
      const isOver =
        mostSince(clock, lastRenewed) > (durationMs * 5) / 6 &&
        mostSince(clock, failingSince) > durationMs / 2;
      if (isOver) lost.abort(lostTo(reference, undefined));
    }
  };
  const untilSure = async (): Promise<void> => {
    lost.signal.throwIfAborted();
    // Many writes may wait at once: the first of them to come asks for all.
    renewing = renewing.then(() => (isFresh() ? undefined : renew()));
    await renewing;
    while (!isSure() || lost.signal.aborted) {
      lost.signal.throwIfAborted();
      renewing = renewing.then(() => (isSure() ? undefined : renew()));
      await renewing;
      lost.signal.throwIfAborted();
      if (!isSure()) await clock.sleep(retryEveryMs, lost.signal);
    }
  };
  const stop = clock.every(durationMs / 3, () => {
    renewing = renewing.then(renew);
  });
  return {
    lost: lost.signal,
    isTakenOver: options.isTakenOver,
    fence: () => (isFresh() && !lost.signal.aborted ? undefined : untilSure()),
    release: async () => {
      stop();
      await renewing;
      return lost.signal.aborted ? undefined : giveUp(options, lease);
    },
  };
}

function lostTo({ namespace, name }: LeaseReference, holder: string | undefined): DiagnosticError {
  const who =
    holder === undefined
      ? "it could not be renewed in time"
      : holder === ""
        ? "another run took it over meanwhile, and has given it back, or somebody deleted it"
        : `${holder} has it now`;
  return new DiagnosticError([
    {
      code: "live.lease-lost",
      severity: "error",
      summary: `the Lease ${namespace}/${name} was lost, so this run stopped: ${who}`,
      detail:
        "nothing that was applied is lost, and nothing was written since: the inventory is the other run's now",
      hint: "run it again when the other has ended",
    },
  ]);
}

type Renewed =
  | { readonly kind: "held"; readonly lease: KubernetesObject }
  | { readonly kind: "taken"; readonly holder: string }
  | { readonly kind: "unknown" };

/** Writes a new time into the Lease; says when it is somebody else's, or when nobody knows. */
async function renewOnce(
  { cluster, reference, owner, clock }: KeepOptions,
  lease: KubernetesObject,
): Promise<Renewed> {
  const write = async (live: KubernetesObject): Promise<Renewed> => {
    const object = leaseObject(reference, owner, live, clock.now().wallMs);
    return { kind: "held", lease: await cluster.update(object) };
  };
  try {
    return await write(lease);
  } catch {
    // The answer to an earlier renewal may have been lost: then the version is another, not the owner.
    try {
      const now = await cluster.find(objectReference(reference));
      if (isOf(now, owner) && now !== undefined) return await write(now);
      if (now === undefined && (await isBeyondMaking(cluster, lease)))
        return { kind: "held", lease };
      return { kind: "taken", holder: holderOf(now) };
    } catch {
      return { kind: "unknown" };
    }
  }
}

/**
 * The Lease was deleted. In a namespace that is going away nobody can make another one, so that the
 * right is still ours.
 */
async function isBeyondMaking(cluster: Cluster, lease: KubernetesObject): Promise<boolean> {
  const { resourceVersion: _version, uid: _uid, ...metadata } = lease.metadata;
  try {
    await cluster.create({ ...lease, metadata }, { dryRun: true });
    return false;
  } catch (error) {
    if (isApiError(error, "AlreadyExists")) return false;
    if (isApiError(error, "Forbidden", "NotFound")) return true;
    throw error;
  }
}

/**
 * Deletes the Lease as long as it is ours; says so if it is not. When nobody knows, it expires by itself.
 */
async function giveUp(
  options: KeepOptions,
  lease: KubernetesObject,
): Promise<DiagnosticError | undefined> {
  const { cluster, reference, owner } = options;
  let current = lease;
  let mayBeDone = false;
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const { uid, resourceVersion }: KubernetesObject["metadata"] = current.metadata;
      const onRetry = (): void => {
        mayBeDone = true;
      };
      await cluster.delete(objectReference(reference), { uid, resourceVersion, onRetry });
      return undefined;
    } catch (error) {
      if (!isApiError(error, "NotFound", "Conflict")) mayBeDone = true;
    }
    try {
      const now = await cluster.find(objectReference(reference));
      if (now === undefined)
        return mayBeDone || (await isBeyondMaking(cluster, current))
          ? undefined
          : notKept(reference);
      if (!isOf(now, owner)) return mayBeDone ? undefined : notKept(reference, holderOf(now));
      current = now;
    } catch {
      return undefined;
    }
  }
  return undefined;
}

function notKept({ namespace, name }: LeaseReference, holder = ""): DiagnosticError {
  return new DiagnosticError([
    {
      code: "live.lease-lost",
      severity: "error",
      summary: `the Lease ${namespace}/${name} was taken from this run before it ended: ${holder === "" ? "somebody deleted it" : `${holder} has it now`}`,
      detail:
        "what this run wrote is there, but another run may have written at the same time, with another inventory",
      hint: "run it again when the other has ended; `keelson live status` lists objects that are in no inventory",
    },
  ]);
}
