import { fail } from "../diagnostics/index.ts";
import { identityKey, identityOf } from "../objects/index.ts";
import type { KubernetesObject, ObjectIdentity } from "../objects/index.ts";
import type { ObjectKind } from "./api/api-resource.ts";
import type { WatchEvent, WatchOptions } from "./api/watch.ts";
import type { Cluster } from "./cluster.ts";

export interface InformerOptions extends Omit<WatchOptions, "resourceVersion" | "signal"> {
  /** More objects than this are a failure, not a memory that fills up. */
  readonly mostObjects?: number | undefined;
  /** What to keep of an object; by default all but managed fields, which are half of its size. */
  readonly keep?: ((object: KubernetesObject) => KubernetesObject) | undefined;
}

export interface InformerEvent {
  readonly kind: "added" | "updated" | "deleted";
  readonly object: KubernetesObject;
  /** What was known before, for updates. */
  readonly previous?: KubernetesObject | undefined;
}

const defaultMostObjects = 200_000;

/**
 * Keeps a copy of all objects of a kind, and tells of changes. It outlives restarts of the API
 * server: what changed meanwhile is reported when it is back.
 */
export class Informer {
  /** Settles with the first snapshot; rejects when there is none to be had. */
  readonly synced: Promise<void>;
  readonly #objects = new Map<string, KubernetesObject>();
  readonly #listeners = new Set<(event: InformerEvent) => void>();
  readonly #stop = new AbortController();
  readonly #options: InformerOptions;
  readonly #kind: ObjectKind;
  readonly #ended: Promise<void>;
  #resourceVersion = "";

  constructor(cluster: Pick<Cluster, "watch">, kind: ObjectKind, options: InformerOptions = {}) {
    this.#kind = kind;
    this.#options = options;
    const synced = Promise.withResolvers<void>();
    this.synced = synced.promise;
    // Whoever waits hears of the failure; nobody must wait.
    this.synced.catch(() => undefined);
    this.#ended = this.#run(cluster, synced.resolve).catch((error: unknown) => {
      synced.reject(error);
      // That it was closed is no trouble.
      if (!this.#stop.signal.aborted) options.onTrouble?.(error);
    });
  }

  get size(): number {
    return this.#objects.size;
  }

  /** How far the copy has come. */
  get resourceVersion(): string {
    return this.#resourceVersion;
  }

  get(identity: ObjectIdentity): KubernetesObject | undefined {
    return this.#objects.get(identityKey(identity));
  }

  objects(): IterableIterator<KubernetesObject> {
    return this.#objects.values();
  }

  /** Told of every change from now on; with `replay` first of what is there. Returns how to stop. */
  subscribe(
    listener: (event: InformerEvent) => void,
    { replay = false }: { readonly replay?: boolean } = {},
  ): () => void {
    if (replay) for (const object of this.#objects.values()) listener({ kind: "added", object });
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Resolves when nothing more will be told. */
  close(): Promise<void> {
    this.#stop.abort();
    this.#listeners.clear();
    return this.#ended;
  }

  async #run(cluster: Pick<Cluster, "watch">, synced: () => void): Promise<void> {
    const { mostObjects: _most, keep: _keep, ...watching } = this.#options;
    const { signal } = this.#stop;
    for await (const event of cluster.watch(this.#kind, { ...watching, signal })) {
      this.#take(event);
      if (event.kind === "snapshot") synced();
    }
    // Closed. Without effect when a snapshot had come.
    throw this.#stop.signal.reason;
  }

  #take(event: WatchEvent): void {
    switch (event.kind) {
      case "snapshot":
        this.#replace(event.objects);
        this.#resourceVersion = event.resourceVersion;
        return;
      case "bookmark":
        this.#resourceVersion = event.resourceVersion;
        return;
      case "deleted": {
        const key = identityKey(identityOf(event.object));
        const known = this.#objects.delete(key);
        if (known) this.#tell({ kind: "deleted", object: event.object });
        break;
      }
      case "added":
      case "modified":
        this.#put(event.object);
        break;
    }
    this.#resourceVersion = event.object.metadata.resourceVersion ?? "";
  }

  #replace(objects: readonly KubernetesObject[]): void {
    const present = new Set(objects.map((object) => identityKey(identityOf(object))));
    for (const [key, object] of this.#objects) {
      if (present.has(key)) continue;
      this.#objects.delete(key);
      this.#tell({ kind: "deleted", object });
    }
    for (const object of objects) this.#put(object);
  }

  #put(full: KubernetesObject): void {
    const key = identityKey(identityOf(full));
    const previous = this.#objects.get(key);
    if (
      previous !== undefined &&
      previous.metadata.resourceVersion === full.metadata.resourceVersion
    )
      return;
    const { mostObjects = defaultMostObjects, keep = withoutManagedFields } = this.#options;
    if (previous === undefined && this.#objects.size >= mostObjects) {
      fail({
        code: "cluster.cache-full",
        summary: `cannot keep track of ${this.#kind.kind} objects: there are more than ${mostObjects}`,
        hint: "choose a namespace or a label selector",
      });
    }
    const object = keep(full);
    this.#objects.set(key, object);
    this.#tell(
      previous === undefined ? { kind: "added", object } : { kind: "updated", object, previous },
    );
  }

  #tell(event: InformerEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        // One listener's failure is neither the business of the others nor of the copy.
        this.#options.onTrouble?.(error);
      }
    }
  }
}

function withoutManagedFields(object: KubernetesObject): KubernetesObject {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _dropped, ...metadata } = object.metadata;
  return { ...object, metadata };
}
