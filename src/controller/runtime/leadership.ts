import { type Cluster, Informer } from "../../cluster/index.ts";
import { type HeldLease, type LeaseReference, takeLease } from "../../inventory/index.ts";

export interface LeadershipOptions {
  readonly lease: LeaseReference;
  readonly holder: string;
  /** How long a leader that died stays one in the eyes of others. */
  readonly durationSeconds: number;
  readonly onWait?: (holder: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Waits until this process leads. Whoever waits watches the Lease: it goes on the moment the leader
 * gives it back, and when the leader died, as soon as the Lease has run out.
 */
export async function becomeLeader(
  cluster: Cluster,
  options: LeadershipOptions,
): Promise<HeldLease> {
  const { lease, holder, durationSeconds, onWait, signal } = options;
  let wake = Promise.withResolvers<void>();
  let watch: Informer | undefined;
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
      ...(onWait === undefined ? {} : { onWait }),
      untilWorthIt: async (expiresAtMs) => {
        watch ??= watchLease(cluster, lease, () => {
          wake.resolve();
        });
        const timer = setTimeout(wake.resolve, waitMs(expiresAtMs, durationSeconds));
        await wake.promise;
        clearTimeout(timer);
        wake = Promise.withResolvers<void>();
      },
    });
  } finally {
    signal.removeEventListener("abort", onAbort);
    await watch?.close();
  }
}

/** Clocks differ a little; a Lease without a readable time is looked at again after its duration. */
function waitMs(expiresAtMs: number, durationSeconds: number): number {
  const left = expiresAtMs - Date.now() + 100;
  return Number.isFinite(left) ? Math.max(100, left) : durationSeconds * 1000;
}

/** Renewals are no news: only the end of a Lease, or another holder, wakes who waits. */
function watchLease(cluster: Cluster, lease: LeaseReference, onFree: () => void): Informer {
  const informer = new Informer(
    cluster,
    { apiVersion: "coordination.k8s.io/v1", kind: "Lease" },
    { namespace: lease.namespace, fieldSelector: `metadata.name=${lease.name}` },
  );
  informer.subscribe(({ kind, object }) => {
    const { holderIdentity } = (object["spec"] ?? {}) as { readonly holderIdentity?: string };
    if (kind === "deleted" || (holderIdentity ?? "") === "") onFree();
  });
  return informer;
}
