import { apiVersionOf, type ObjectIdentity } from "../objects/index.ts";
import { watchStatuses } from "../apply/index.ts";
import { type Cluster } from "../cluster/index.ts";
import type { RunEvent } from "../events/index.ts";
import { resourcesServing } from "../observe/index.ts";

type StatusEvent = Extract<RunEvent, { readonly type: "status" }>;

export interface StatusFeedOptions {
  readonly cluster: Cluster;
  readonly onStatus: (event: StatusEvent) => void;
  readonly onTrouble: (error: unknown) => void;
}

/** The longest time that a timer can be set to. */
const foreverMs = 2 ** 31 - 1;

/**
 * Follows the status of objects. After every write it begins anew, through the view that remembers the
 * write: an old verdict can never be taken for one on the new object.
 */
export class StatusFeed {
  readonly #options: StatusFeedOptions;
  #stop = new AbortController();
  #ended: Promise<void> = Promise.resolve();
  #hasBegun = false;

  constructor(options: StatusFeedOptions) {
    this.#options = options;
  }

  /** Follows these; `rewritten` are those among them that another process has just written. */
  follow(entries: readonly ObjectIdentity[], rewritten: readonly ObjectIdentity[]): void {
    const before = this.#ended;
    this.#stop.abort();
    const stop = new AbortController();
    this.#stop = stop;
    if (entries.length > 0) this.#ended = this.#watch(entries, rewritten, stop.signal, before);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }

  async #watch(
    entries: readonly ObjectIdentity[],
    rewritten: readonly ObjectIdentity[],
    signal: AbortSignal,
    before: Promise<void>,
  ): Promise<void> {
    const { cluster, onStatus, onTrouble } = this.#options;
    const trustsDiscovery = this.#hasBegun;
    this.#hasBegun = true;
    try {
      await remember(cluster, rewritten, signal);
      await watchStatuses({
        cluster,
        entries,
        isOver: () => false,
        deadline: Date.now() + foreverMs,
        signal,
        trustsDiscovery,
        emit: (event) => {
          if (event.type === "status" && !signal.aborted) onStatus(event);
        },
      });
    } catch (error) {
      if (!signal.aborted) onTrouble(error);
    }
    await before;
  }
}

/** Reads objects that another process wrote, so that the view is at least as new as those writes. */
async function remember(
  cluster: Cluster,
  identities: readonly ObjectIdentity[],
  signal: AbortSignal,
): Promise<void> {
  if (identities.length === 0) return;
  const resources = await resourcesServing(cluster, identities);
  await Promise.all(
    identities.map(async ({ group, kind, namespace, name }) => {
      const resource = resources.preferred(group, kind);
      if (resource === undefined) return;
      const reference = { apiVersion: apiVersionOf(resource), kind, namespace, name };
      const found = await cluster.find(reference, { signal }).catch(() => undefined);
      if (found !== undefined) cluster.view.remember(found);
    }),
  );
}
