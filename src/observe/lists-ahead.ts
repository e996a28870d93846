import {
  apiVersionOf,
  type Cluster,
  type ObjectKind,
  type ObjectList,
  type ResourceIndex,
} from "../cluster/index.ts";
import { type LikelyKind, splitApiVersion } from "../objects/index.ts";

/**
 * Lists that are begun before it is known for certain that they are needed, so that the server works
 * while the input is read. A wrong guess costs one list that nobody looks at.
 */
export class ListsAhead {
  readonly #cluster: Cluster;
  readonly #signal: AbortSignal | undefined;
  readonly #resources: Promise<ResourceIndex | undefined>;
  readonly #lists = new Map<string, Promise<ObjectList>>();

  constructor(cluster: Cluster, signal?: AbortSignal) {
    this.#cluster = cluster;
    this.#signal = signal;
    this.#resources = cluster.resources().catch(() => undefined);
  }

  /** Never fails: what cannot be listed is found out by whoever needs it. */
  async begin(likely: readonly LikelyKind[]): Promise<void> {
    const resources = await this.#resources;
    for (const { apiVersion, kind, namespace } of likely) {
      const resource =
        resources?.find({ apiVersion, kind }) ??
        resources?.preferred(splitApiVersion(apiVersion).group, kind);
      if (resource === undefined || this.#lists.size >= mostLists) continue;
      const place = resource.namespaced ? (namespace ?? this.#cluster.namespace) : "";
      const listed = { apiVersion: apiVersionOf(resource), kind };
      const key = keyOf(listed, place);
      if (this.#lists.has(key)) continue;
      const list = this.#cluster.list(listed, {
        ...(place === "" ? {} : { namespace: place }),
        signal: this.#signal,
      });
      list.catch(() => undefined);
      this.#lists.set(key, list);
    }
  }

  /** A list that somebody else has just had, for whoever needs it next. */
  put(kind: ObjectKind, namespace: string, list: ObjectList): void {
    this.#lists.set(keyOf(kind, namespace), Promise.resolve(list));
  }

  /** The list of a kind, once: whoever looks again wants to know what is new. */
  take(kind: ObjectKind, namespace: string): Promise<ObjectList> | undefined {
    const key = keyOf(kind, namespace);
    const list = this.#lists.get(key);
    this.#lists.delete(key);
    return list;
  }
}

/** An input that names more kinds and namespaces than this gains nothing by it. */
const mostLists = 50;

function keyOf({ apiVersion, kind }: ObjectKind, namespace: string): string {
  return `${apiVersion}/${kind}/${namespace}`;
}
