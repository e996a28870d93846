import type { Cluster } from "../cluster/index.ts";
import type { KubernetesObject } from "../objects/index.ts";

const mostContainers = 20;
const withinMs = 3_000;
const longestLine = 200;

/** The last line that failing containers logged: fetched once for each, and only for a few. */
export class LastLogLines {
  readonly #cluster: Cluster;
  readonly #lines = new Map<string, string | undefined>();
  readonly #fetching = new Map<string, Promise<void>>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** The line if it is known; asking for one that is not begins to fetch it. */
  get(pod: KubernetesObject, container: string): string | undefined {
    const { uid = "" } = pod.metadata;
    const key = `${uid}/${container}`;
    const isAsked = this.#lines.has(key) || this.#fetching.has(key);
    if (!isAsked && this.#lines.size + this.#fetching.size < mostContainers) {
      const fetch = this.#fetch(pod, container).then((line) => {
        this.#lines.set(key, line);
        this.#fetching.delete(key);
      });
      this.#fetching.set(key, fetch);
    }
    return this.#lines.get(key);
  }

  /** Resolves when all that is being fetched has come or will not; undefined when nothing is. */
  pending(): Promise<unknown> | undefined {
    return this.#fetching.size === 0 ? undefined : Promise.all(this.#fetching.values());
  }

  async #fetch(pod: KubernetesObject, container: string): Promise<string | undefined> {
    const { namespace, name = "" } = pod.metadata;
    // The container that crashed, or the one that is about to.
    for (const previous of [true, false]) {
      try {
        const options = {
          container,
          previous,
          tailLines: 1,
          signal: AbortSignal.timeout(withinMs),
        };
        let last: string | undefined;
        for await (const line of this.#cluster.logs({ namespace, name }, options))
          if (line !== "") last = line.slice(0, longestLine);
        if (last !== undefined) return last;
      } catch {
        // Without a log the verdict stands as it is.
      }
    }
    return undefined;
  }
}
