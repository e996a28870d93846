import type { Cluster } from "../cluster/index.ts";
import type { KubernetesObject } from "../objects/index.ts";

const mostObjects = 50;
const withinMs = 5_000;
const tailLines = 100;
const longestLine = 1_000;
const freshForMs = 5_000;

export interface EvidenceOptions {
  readonly now?: () => number;
  readonly onNews?: () => void;
}

interface Known<T> {
  /** What was asked about: another run of the container has another log. */
  readonly version: number;
  readonly value: T | undefined;
}

/**
 * What explains why objects are not ready, fetched when it is first asked for, and for few objects only:
 * the last lines of failing containers, and the events of what its status does not explain.
 */
export class Evidence {
  readonly #cluster: Pick<Cluster, "list" | "logs">;
  readonly #now: () => number;
  readonly #onNews: () => void;
  readonly #logs = new Map<string, Known<readonly string[]>>();
  readonly #events = new Map<string, Known<readonly KubernetesObject[]>>();
  readonly #fetching = new Map<string, Promise<void>>();

  /** `onNews` is called when something that was asked for has come. */
  constructor(
    cluster: Pick<Cluster, "list" | "logs">,
    { now = Date.now, onNews = () => {} }: EvidenceOptions = {},
  ) {
    this.#cluster = cluster;
    this.#now = now;
    this.#onNews = onNews;
  }

  /** The last lines of a container; of its run before until those of the newest have come. */
  readonly logOf = (pod: KubernetesObject, container: string): readonly string[] | undefined =>
    this.#get(
      this.#logs,
      `${pod.metadata.uid ?? ""}/${container}`,
      () => restartsOf(pod, container),
      () => this.#readLog(pod, container),
    );

  /** The events about an object, read again after a while. */
  readonly eventsOf = (object: KubernetesObject): readonly KubernetesObject[] =>
    this.#get(
      this.#events,
      object.metadata.uid ?? "",
      () => Math.floor(this.#now() / freshForMs),
      () => this.#readEvents(object),
    ) ?? [];

  /** Resolves when all that is being fetched has come or will not; undefined when nothing is. */
  pending(): Promise<unknown> | undefined {
    return this.#fetching.size === 0 ? undefined : Promise.all(this.#fetching.values());
  }

  #get<T>(
    known: Map<string, Known<T>>,
    key: string,
    versionNow: () => number,
    read: () => Promise<T | undefined>,
  ): T | undefined {
    const found = known.get(key);
    const version = versionNow();
    const isNew = found === undefined && known.size >= mostObjects;
    if (found?.version !== version && !isNew && !this.#fetching.has(key)) {
      known.set(key, { version, value: found?.value });
      const fetch = read().then((value) => {
        // As new as it came: whoever waited for a slow answer must not have to ask again.
        known.set(key, { version: versionNow(), value });
        this.#fetching.delete(key);
        this.#onNews();
      });
      this.#fetching.set(key, fetch);
    }
    return known.get(key)?.value;
  }

  async #readLog(pod: KubernetesObject, container: string): Promise<readonly string[] | undefined> {
    const { namespace, name = "" } = pod.metadata;
    // The container that crashed, or the one that is about to.
    for (const previous of [true, false]) {
      try {
        const signal = AbortSignal.timeout(withinMs);
        const options = { container, previous, tailLines, signal };
        const lines: string[] = [];
        for await (const line of this.#cluster.logs({ namespace, name }, options))
          lines.push(line.slice(0, longestLine));
        if (lines.some((line) => line !== "")) return lines;
      } catch {
        // Without a log the cause is told as the status has it.
      }
    }
    return undefined;
  }

  async #readEvents(object: KubernetesObject): Promise<readonly KubernetesObject[] | undefined> {
    const { namespace, uid = "" } = object.metadata;
    try {
      const { items } = await this.#cluster.list(
        { apiVersion: "v1", kind: "Event" },
        { namespace, fieldSelector: `involvedObject.uid=${uid}`, timeoutMs: withinMs },
      );
      return items;
    } catch {
      // Who may not read events knows less.
      return undefined;
    }
  }
}

/** How often a container was started again. */
function restartsOf(pod: KubernetesObject, container: string): number {
  const { containerStatuses = [], initContainerStatuses = [] } = (pod["status"] ?? {}) as {
    readonly [Key in "containerStatuses" | "initContainerStatuses"]?: readonly {
      readonly name: string;
      readonly restartCount?: number;
    }[];
  };
  const all = [...initContainerStatuses, ...containerStatuses];
  return all.find(({ name }) => name === container)?.restartCount ?? 0;
}
