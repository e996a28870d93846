import { type Cluster } from "../cluster/index.ts";
import { identityKey, type ObjectIdentity, apiVersionOf } from "../objects/index.ts";
import { resourcesServing } from "../observe/index.ts";
import type { Readiness } from "../readiness/index.ts";
import type { Emit } from "../events/index.ts";
import { ReadinessWaiter } from "./readiness-waiter.ts";

export interface ObjectStatus {
  readonly identity: ObjectIdentity;
  readonly readiness: Readiness;
}

export interface WatchStatusesOptions {
  readonly cluster: Cluster;
  readonly entries: readonly ObjectIdentity[];
  /** Asked once everything is known, and after every change. */
  readonly isOver: (statuses: readonly ObjectStatus[]) => boolean;
  /** Milliseconds since 1970. */
  readonly deadline: number;
  readonly emit: Emit;
  readonly signal: AbortSignal;
  /** What the cluster serves is known well enough, unless a kind is missing from it. */
  readonly trustsDiscovery?: boolean | undefined;
}

/** Tells how objects are, and every change of that, from watches; ends when it is told to. */
export async function watchStatuses({
  cluster,
  entries,
  isOver,
  deadline,
  emit,
  signal,
  trustsDiscovery = false,
}: WatchStatusesOptions): Promise<{
  readonly statuses: readonly ObjectStatus[];
  readonly isOver: boolean;
}> {
  const waiter = new ReadinessWaiter(cluster, emit);
  const statuses = new Map<string, ObjectStatus>();
  const all = (): readonly ObjectStatus[] =>
    entries.flatMap((entry) => statuses.get(identityKey(entry)) ?? []);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const note = (identity: ObjectIdentity, readiness: Readiness): void => {
    statuses.set(identityKey(identity), { identity, readiness });
    emit({ type: "status", object: identity, ...readiness });
    if (statuses.size === entries.length && isOver(all())) resolve(true);
  };
  const timer = setTimeout(
    () => {
      resolve(false);
    },
    Math.max(0, deadline - Date.now()),
  );
  const stop = (): void => {
    resolve(false);
  };
  signal.addEventListener("abort", stop, { once: true });
  // It may have been stopped before it began.
  if (signal.aborted) stop();
  try {
    const resources = await (trustsDiscovery
      ? resourcesServing(cluster, entries)
      : cluster.refreshResources());
    await waiter.learn(entries);
    for (const identity of entries) {
      const resource = resources.preferred(identity.group, identity.kind);
      if (resource === undefined)
        note(identity, unserved(resources.unavailableGroups.has(identity.group)));
      else
        waiter.follow(identity, apiVersionOf(resource), (readiness) => {
          note(identity, readiness);
        });
    }
    return { isOver: await promise, statuses: all() };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    await waiter.close();
  }
}

function unserved(isUnavailable: boolean): Readiness {
  return isUnavailable
    ? {
        status: "Unknown",
        reason: "NotChecked",
        message: "the server of its group does not answer",
      }
    : {
        status: "Unknown",
        reason: "NotChecked",
        message: "the cluster does not serve its kind",
      };
}
