import { randomUUID } from "node:crypto";
import {
  backoffMs,
  type Cluster,
  fencedCluster,
  isApiError,
  systemTiming,
} from "../cluster/index.ts";
import { DiagnosticError, fail } from "../diagnostics/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import { hasEnded, processMark } from "../processes/process-mark.ts";
import { type HeldLease, keepLease } from "./held-lease.ts";
import { type LeaseClock, leastSince, type Moment, systemLeaseClock } from "./lease-clock.ts";
import {
  durationMsOf,
  holderOf,
  isOf,
  leaseObject,
  type LeaseOwner,
  type LeaseReference,
  objectReference,
  processOf,
} from "./lease-object.ts";

const usualSeconds = 30;
const retryEveryMs = 1_000;
/** How often a server that fails to write the Lease is asked again, with growing pauses. */
const mostFailures = 5;
const backoff = { baseMs: 250, mostMs: 30_000 };
/** What a process sent before it ended has arrived after this. */
const afterEndMs = 1_000;

export interface LeaseOptions {
  readonly holder: string;
  /** How long it lasts without being renewed, which happens three times as often. */
  readonly durationSeconds?: number;
  /** How long to wait for another run to end. */
  readonly waitMs: number;
  /** Told once when another run is waited for. */
  readonly onWait?: (holder: string) => void;
  /** Waits until another attempt is worth it, at most so long; without it one is made each second. */
  readonly untilWorthIt?: (mostMs: number) => Promise<void>;
  /** Given, a server that fails is asked again for ever; told each time why, and when. */
  readonly onRetry?: ((cause: DiagnosticError, retryAfterMs: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly clock?: LeaseClock | undefined;
}

/**
 * Takes a Lease, or fails with the name of who holds it. Whether that one still lives is judged by our own
 * clock only: by how long nothing has been written into the Lease since we first saw it is. The
 * times in it are those of another machine, whose clock may be wrong.
 */
export async function takeLease(
  cluster: Cluster,
  reference: LeaseReference,
  options: LeaseOptions,
): Promise<HeldLease> {
  const { durationSeconds = usualSeconds, holder, clock = systemLeaseClock, signal } = options;
  const owner = { holder, run: randomUUID(), process: processMark(), durationSeconds };
  const began = clock.now();
  const watcher = new LeaseWatcher(clock);
  let hasTold = false;
  let failures = 0;
  for (;;) {
    signal?.throwIfAborted();
    const since = clock.now();
    const taken = await tryTake(cluster, reference, owner, watcher, since.wallMs).catch(
      (error: unknown): Taken => {
        if (options.onRetry !== undefined && isServerFailure(error))
          return { kind: "failed", error };
        throw error;
      },
    );
    if (taken.kind === "held") {
      const { isTakenOver, lease } = taken;
      if (isTakenOver) await clock.sleep(watcher.settleMs, signal);
      return keepLease({ cluster, reference, owner, clock, since, isTakenOver }, lease);
    }
    if (taken.kind === "failed") {
      const delayMs = backoffMs(failures++, systemTiming.random(), backoff);
      if (options.onRetry === undefined && failures >= mostFailures) throw taken.error;
      options.onRetry?.(taken.error, delayMs);
      await clock.sleep(delayMs, signal);
      continue;
    }
    const leftMs = options.waitMs - leastSince(clock, began);
    if (leftMs <= 0) {
      fail({
        code: "live.locked",
        summary: `another run changes the inventory ${reference.namespace}/${reference.name}: ${taken.holder} holds its Lease`,
        hint: `wait for it to end; a run that died loses the Lease after ${durationSeconds} s`,
      });
    }
    if (!hasTold) options.onWait?.(taken.holder);
    hasTold = true;
    if (options.untilWorthIt !== undefined) await options.untilWorthIt(taken.mostMs);
    else await clock.sleep(Math.min(retryEveryMs, leftMs), signal);
  }
}

/** Does something while a Lease is held, with a cluster that is written to only as long as it is. */
export async function whileHolding<Result>(
  cluster: Cluster,
  reference: LeaseReference,
  options: LeaseOptions,
  body: (cluster: Cluster, lease: HeldLease) => Promise<Result>,
): Promise<Result> {
  const lease = await takeLease(cluster, reference, options);
  let result: Result;
  try {
    result = await body(fencedCluster(cluster, lease.fence), lease);
  } catch (error) {
    await lease.release();
    throw error;
  }
  const loss = await lease.release();
  if (loss !== undefined) throw loss;
  return result;
}

/** Sees a Lease again and again, and knows how long it has stayed as it is. */
class LeaseWatcher {
  readonly #clock: LeaseClock;
  #seen: { readonly version: string; readonly at: Moment } | undefined;
  /** How long to wait after taking over, until nothing of the former holder is under way. */
  settleMs = 0;

  constructor(clock: LeaseClock) {
    this.#clock = clock;
  }

  /** How long the holder may still count on its Lease, as far as can be seen. */
  leftMs(lease: KubernetesObject): number {
    const version = `${lease.metadata.uid ?? ""} ${lease.metadata.resourceVersion ?? ""}`;
    if (this.#seen?.version !== version) this.#seen = { version, at: this.#clock.now() };
    this.settleMs = 0;
    if (hasEnded(processOf(lease))) {
      this.settleMs = afterEndMs;
      return 0;
    }
    return durationMsOf(lease, usualSeconds) - leastSince(this.#clock, this.#seen.at);
  }
}

type Taken =
  | { readonly kind: "held"; readonly lease: KubernetesObject; readonly isTakenOver: boolean }
  | { readonly kind: "busy"; readonly holder: string; readonly mostMs: number }
  | { readonly kind: "failed"; readonly error: DiagnosticError };

async function tryTake(
  cluster: Cluster,
  reference: LeaseReference,
  owner: LeaseOwner,
  watcher: LeaseWatcher,
  wallMs: number,
): Promise<Taken> {
  const found = await cluster.find(objectReference(reference));
  const current = holderOf(found);
  const isOthers = found !== undefined && current !== "" && !isOf(found, owner);
  const leftMs = isOthers ? watcher.leftMs(found) : 0;
  if (leftMs > 0) return { kind: "busy", holder: current, mostMs: leftMs };
  try {
    const lease = leaseObject(reference, owner, found, wallMs);
    const written = found === undefined ? await cluster.create(lease) : await cluster.update(lease);
    return { kind: "held", lease: written, isTakenOver: isOthers };
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    // Somebody was faster, or our own write came through and only its answer was lost.
    const now = await cluster.find(objectReference(reference));
    if (now !== undefined && isOf(now, owner))
      return { kind: "held", lease: now, isTakenOver: isOthers };
    if (isServerFailure(error)) return { kind: "failed", error };
    if (!isApiError(error, "Conflict", "AlreadyExists")) throw error;
    const mostMs = now === undefined ? retryEveryMs : watcher.leftMs(now);
    return { kind: "busy", holder: holderOf(now) || "another run", mostMs };
  }
}

/** The write may have been fine: a proxy gave up, or the server was about to restart. */
function isServerFailure(error: unknown): error is DiagnosticError {
  if (!(error instanceof DiagnosticError)) return false;
  return !isApiError(error) || error.status.code >= 500 || error.status.code === 429;
}
