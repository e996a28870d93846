import type { Cluster, KindView } from "../../cluster/index.ts";
import type { DiagnosticError } from "../../diagnostics/index.ts";
import {
  type HeldLease,
  type LeaseClock,
  type LeaseReference,
  takeLease,
} from "../../inventory/index.ts";

export interface LeadershipOptions {
  readonly lease: LeaseReference;
  readonly holder: string;
  /** How long a leader that died stays one in the eyes of others. */
  readonly durationSeconds: number;
  readonly clock?: LeaseClock | undefined;
  readonly onWait?: (holder: string) => void;
  /** Told why the Lease could not be taken, and when that is tried again. */
  readonly onRetry?: ((cause: DiagnosticError, retryAfterMs: number) => void) | undefined;
  readonly signal: AbortSignal;
}

/**
 * Waits until this process leads. Whoever waits watches the Lease: it goes on the moment the leader gives
 * it back, and when the leader died, as soon as the Lease has run out. A server that fails is asked
 * again: a process that ended instead would have to begin all its watches anew.
 */
export async function becomeLeader(
  cluster: Cluster,
  options: LeadershipOptions,
): Promise<HeldLease> {
  const { lease, holder, durationSeconds, clock, onWait, onRetry, signal } = options;
  let wake = Promise.withResolvers<void>();
  let watch: KindView | undefined;
  const onAbort = (): void => {
    wake.resolve();
  };
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await takeLease(cluster, lease, {
      holder,
      durationSeconds,
      waitMs: Number.POSITIVE_INFINITY,
      signal,
      clock,
      onRetry: onRetry ?? (() => undefined),
      ...(onWait === undefined ? {} : { onWait }),
      untilWorthIt: async (mostMs) => {
        watch ??= watchLease(cluster, lease, () => {
          wake.resolve();
        });
        const timer = setTimeout(wake.resolve, waitMs(mostMs, durationSeconds));
        await wake.promise;
        clearTimeout(timer);
        wake = Promise.withResolvers<void>();
      },
    });
  } finally {
    signal.removeEventListener("abort", onAbort);
    watch?.release();
  }
}

/** As often as the leader renews it: the time of a leader that died counts from when it was last seen. */
function waitMs(mostMs: number, durationSeconds: number): number {
  return Math.min(Math.max(100, mostMs), (durationSeconds * 1000) / 3);
}

/** Renewals are no news: only the end of a Lease, or another holder, wakes who waits. */
function watchLease(cluster: Cluster, lease: LeaseReference, onFree: () => void): KindView {
  const leases = cluster.view.use(
    { apiVersion: "coordination.k8s.io/v1", kind: "Lease" },
    { namespace: lease.namespace, fieldSelector: `metadata.name=${lease.name}` },
  );
  leases.subscribe(({ kind, object }) => {
    const { holderIdentity } = (object["spec"] ?? {}) as { readonly holderIdentity?: string };
    if (kind === "deleted" || (holderIdentity ?? "") === "") onFree();
  });
  return leases;
}
