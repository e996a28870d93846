import { watchStatuses } from "../apply/index.ts";
import type { Cluster } from "../cluster/index.ts";
import type { RunEvent } from "../events/index.ts";
import type { ObjectIdentity } from "../objects/index.ts";

type StatusEvent = Extract<RunEvent, { readonly type: "status" }>;

export interface StatusFeedOptions {
  readonly cluster: Cluster;
  readonly onStatus: (event: StatusEvent) => void;
  readonly onTrouble: (error: unknown) => void;
}

/** The longest time that a timer can be set to. */
const foreverMs = 2 ** 31 - 1;

/**
 * Follows how objects are. After every write it begins anew: what a fresh list says is at least as new
 * as the write, and an old verdict can never be taken for one on the new object.
 */
export class StatusFeed {
  readonly #options: StatusFeedOptions;
  #stop = new AbortController();
  #ended: Promise<void> = Promise.resolve();

  constructor(options: StatusFeedOptions) {
    this.#options = options;
  }

  follow(entries: readonly ObjectIdentity[]): void {
    const before = this.#ended;
    this.#stop.abort();
    const stop = new AbortController();
    this.#stop = stop;
    if (entries.length > 0) this.#ended = this.#watch(entries, stop.signal, before);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }

  async #watch(
    entries: readonly ObjectIdentity[],
    signal: AbortSignal,
    before: Promise<void>,
  ): Promise<void> {
    const { cluster, onStatus, onTrouble } = this.#options;
    try {
      await watchStatuses({
        cluster,
        entries,
        isOver: () => false,
        deadline: Date.now() + foreverMs,
        signal,
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
