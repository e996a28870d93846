import { type Cluster, fencedCluster } from "../../cluster/index.ts";
import { DiagnosticError } from "../../diagnostics/index.ts";
import type { HeldLease, LeaseClock, LeaseReference } from "../../inventory/index.ts";
import { EventRecorder } from "./event-recorder.ts";
import { type HealthServer, serveHealth } from "./health-server.ts";
import { becomeLeader } from "./leadership.ts";
import { type Log, silentLog } from "./log.ts";
import { measuredCluster } from "./measured-cluster.ts";
import { Metrics } from "./metrics.ts";
import type { Reconciler, ReconcilerContext } from "./reconciler.ts";
import { WorkQueue } from "./work-queue.ts";

export interface RunControllersOptions {
  readonly cluster: Cluster;
  readonly reconcilers: readonly Reconciler[];
  /** Ends everything in good order. */
  readonly signal: AbortSignal;
  /** Who this is, among those that could lead. */
  readonly holder: string;
  /** The Lease that makes one of several processes the leader; left out, this one just begins. */
  readonly lease?: LeaseReference | undefined;
  readonly leaseSeconds?: number | undefined;
  /** The time by which the Lease is held; that of the machine unless given. */
  readonly clock?: LeaseClock | undefined;
  /** Owners of one kind that are looked at side by side. */
  readonly workers?: number | undefined;
  /** Left out, nothing is served. */
  readonly health?: { readonly host: string; readonly port: number } | undefined;
  readonly log?: Log | undefined;
  /** Told when this process works: it leads, and all watches have begun. */
  readonly onLeading?: ((facts: { readonly healthPort: number | undefined }) => void) | undefined;
}

/** Most of them only wait for answers; the transport bounds what is asked at once. */
const usualWorkers = 64;
const usualLeaseSeconds = 15;

/**
 * Runs reconcilers until the signal ends them: watches are warm before this process leads, so that it
 * goes on at once when another one stops. Returns when everything that was under way has ended; throws
 * when the lead was lost, because another process may be writing already.
 */
export async function runControllers(options: RunControllersOptions): Promise<void> {
  const { reconcilers, signal, log = silentLog } = options;
  const stop = new AbortController();
  const onAbort = (): void => {
    stop.abort();
  };
  signal.addEventListener("abort", onAbort, { once: true });
  const queues = new Map<string, WorkQueue>();
  const metrics: Metrics = new Metrics({
    queueDepths: () => [...queues].map(([name, { depth }]) => [name, depth] as const),
    cachedObjects: () => informers.size(),
  });
  let lead: HeldLease | undefined;
  const cluster = measuredCluster(
    // Whoever leads writes only as long as that is certain.
    fencedCluster(options.cluster, () => lead?.fence()),
    (verb, kind) => {
      metrics.request(verb, kind);
    },
    ({ kind }, error) => {
      log.warn({ kind, error: textOf(error) }, "a watch was interrupted and goes on");
    },
  );
  const informers = cluster.view;
  let isReady = false;
  let server: HealthServer | undefined;
  const recorders: EventRecorder[] = [];
  try {
    if (options.health !== undefined) {
      server = await serveHealth({ ...options.health, isReady: () => isReady, metrics });
      const url = `http://${options.health.host}:${server.port}`;
      log.info({ url }, "health and metrics are served");
    }
    const contexts = reconcilers.map((reconciler) => {
      const own = log.with({ controller: reconciler.name });
      const events = new EventRecorder(cluster, `keelson-${reconciler.name}`, own);
      recorders.push(events);
      const queue = newQueue(reconciler, () => context, options, metrics, own);
      queues.set(reconciler.name, queue);
      const context: ReconcilerContext = {
        cluster,
        informers,
        queue,
        events,
        log: own,
        signal: stop.signal,
      };
      return context;
    });
    await Promise.all(
      reconcilers.map(async (reconciler, index) => {
        const context = contexts[index];
        if (context !== undefined) await reconciler.start(context);
      }),
    );
    isReady = true;
    lead = await leadership(options, { ...options.cluster, view: informers }, log, stop.signal);
    metrics.leads(true);
    for (const queue of queues.values()) queue.start();
    log.info({ holder: options.holder }, "leading");
    options.onLeading?.({ healthPort: server?.port });
    await ended(stop.signal, lead?.lost);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
    stop.abort();
    metrics.leads(false);
    await Promise.all([...queues.values()].map((queue) => queue.stop()));
    await Promise.all(recorders.map((recorder) => recorder.settled()));
    await informers.close();
    // Given back only now: whoever leads next must not meet our own last writes.
    await lead?.release();
    await server?.close();
    log.info({ holder: options.holder }, "stopped");
  }
  if (lead?.lost.aborted === true && !signal.aborted)
    throw lostLead(options.holder, lead.lost.reason);
}

function newQueue(
  reconciler: Reconciler,
  contextOf: () => ReconcilerContext,
  options: RunControllersOptions,
  metrics: Metrics,
  log: Log,
): WorkQueue {
  return new WorkQueue({
    workers: options.workers ?? usualWorkers,
    work: async (key) => {
      const began = performance.now();
      try {
        const worked = await reconciler.reconcile(key, contextOf());
        metrics.worked(reconciler.name, "done", performance.now() - began);
        return worked;
      } catch (error) {
        metrics.worked(reconciler.name, "failed", performance.now() - began);
        throw error;
      }
    },
    onFailure: (key, error, retryAfterMs) => {
      log.warn({ key, error: textOf(error), retryAfterMs }, "failed, will be tried again");
    },
  });
}

async function leadership(
  { lease, leaseSeconds = usualLeaseSeconds, holder, clock }: RunControllersOptions,
  cluster: Cluster,
  log: Log,
  signal: AbortSignal,
): Promise<HeldLease | undefined> {
  if (lease === undefined) return undefined;
  return becomeLeader(cluster, {
    lease,
    holder,
    durationSeconds: leaseSeconds,
    clock,
    signal,
    onWait: (leader) => {
      log.info({ leader }, "another process leads; waiting");
    },
    onRetry: (cause, retryAfterMs) => {
      log.warn(
        { error: cause.message, retryAfterMs },
        "the Lease could not be taken; it is tried again",
      );
    },
  });
}

async function ended(...signals: readonly (AbortSignal | undefined)[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of signals) {
    if (signal?.aborted === true) resolve();
    signal?.addEventListener(
      "abort",
      () => {
        resolve();
      },
      { once: true },
    );
  }
  // A process that only waits has nothing else that keeps it alive.
  const alive = setInterval(() => undefined, 60_000);
  await promise;
  clearInterval(alive);
}

function lostLead(holder: string, reason: unknown): DiagnosticError {
  return new DiagnosticError([
    {
      code: "controller.lead-lost",
      severity: "error",
      summary: `${holder} no longer leads: its Lease could not be renewed, or another process took it over`,
      detail: textOf(reason),
      hint: "it is safe to start again; it waits for its turn",
    },
  ]);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
