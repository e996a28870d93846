import {
  type Cluster,
  Informer,
  type InformerEvent,
  type ObjectKind,
} from "../../cluster/index.ts";
import {
  identityKey,
  identityOf,
  isLaterVersion,
  type KubernetesObject,
  type ObjectIdentity,
} from "../../objects/index.ts";

export interface SharedInformerOptions {
  /** All namespaces unless given. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly metadataOnly?: boolean | undefined;
  /** What to keep of an object; all of it but managed fields unless given. */
  readonly keep?: ((object: KubernetesObject) => KubernetesObject) | undefined;
  readonly mostObjects?: number | undefined;
  readonly onTrouble?: ((error: unknown) => void) | undefined;
}

/** By what objects can be found besides their names. */
export type IndexKeys = (object: KubernetesObject) => readonly string[];

/**
 * All objects of a kind as far as they are known here: a copy that a watch keeps, and over it the
 * answers to our own writes, which may be newer than the copy.
 */
export class SharedInformer {
  readonly #informer: Informer;
  readonly #options: SharedInformerOptions;
  readonly #written = new Map<string, KubernetesObject>();
  readonly #indexes = new Map<IndexKeys, Map<string, Set<string>>>();

  constructor(cluster: Pick<Cluster, "watch">, kind: ObjectKind, options: SharedInformerOptions) {
    this.#options = options;
    this.#informer = new Informer(cluster, kind, options);
    this.#informer.subscribe((event) => {
      this.#follow(event);
    });
  }

  get synced(): Promise<void> {
    return this.#informer.synced;
  }

  get size(): number {
    return this.#informer.size;
  }

  get(identity: ObjectIdentity): KubernetesObject | undefined {
    return this.#ownWrite(identityKey(identity)) ?? this.#informer.get(identity);
  }

  *objects(): IterableIterator<KubernetesObject> {
    for (const object of this.#informer.objects()) {
      yield this.#ownWrite(identityKey(identityOf(object))) ?? object;
    }
    for (const [key, object] of this.#written)
      if (this.#informer.get(identityOf(object)) === undefined && this.#ownWrite(key) !== undefined)
        yield object;
  }

  /** The objects that an index files under a key. The same function is the same index. */
  indexed(by: IndexKeys, key: string): readonly KubernetesObject[] {
    const found = this.#index(by).get(key) ?? new Set<string>();
    const objects: KubernetesObject[] = [];
    for (const each of found) {
      const object = this.#byKey.get(each);
      if (object !== undefined) objects.push(this.#ownWrite(each) ?? object);
    }
    return objects;
  }

  subscribe(
    listener: (event: InformerEvent) => void,
    options?: { readonly replay?: boolean },
  ): () => void {
    return this.#informer.subscribe(listener, options);
  }

  /** Takes the answer to a write of ours, until the watch has told of it or of something newer. */
  remember(object: KubernetesObject): void {
    const { resourceVersion = "" } = object.metadata;
    // It may have told already, even that the object is gone.
    if (!isLaterVersion(resourceVersion, this.#informer.resourceVersion)) return;
    const kept = this.#options.keep?.(object) ?? object;
    this.#written.set(identityKey(identityOf(object)), kept);
  }

  close(): Promise<void> {
    return this.#informer.close();
  }

  /** What we wrote, as long as the watch has not come that far. */
  #ownWrite(key: string): KubernetesObject | undefined {
    const written = this.#written.get(key);
    const { resourceVersion = "" } = written?.metadata ?? {};
    if (written === undefined || isLaterVersion(resourceVersion, this.#informer.resourceVersion))
      return written;
    this.#written.delete(key);
    return undefined;
  }

  /** What the copy holds, for indexes; filled only once there is one. */
  readonly #byKey = new Map<string, KubernetesObject>();

  #index(by: IndexKeys): Map<string, Set<string>> {
    const known = this.#indexes.get(by);
    if (known !== undefined) return known;
    const index = new Map<string, Set<string>>();
    this.#indexes.set(by, index);
    for (const object of this.#informer.objects()) {
      this.#byKey.set(identityKey(identityOf(object)), object);
      file(index, by, object);
    }
    return index;
  }

  #follow({ kind, object, previous }: InformerEvent): void {
    const key = identityKey(identityOf(object));
    if (this.#indexes.size === 0) return;
    const before = previous ?? this.#byKey.get(key);
    for (const [by, index] of this.#indexes) {
      if (before !== undefined) unfile(index, by, before);
      if (kind !== "deleted") file(index, by, object);
    }
    if (kind === "deleted") this.#byKey.delete(key);
    else this.#byKey.set(key, object);
  }
}

function file(index: Map<string, Set<string>>, by: IndexKeys, object: KubernetesObject): void {
  const own = identityKey(identityOf(object));
  for (const key of by(object)) {
    const filed = index.get(key);
    if (filed === undefined) index.set(key, new Set([own]));
    else filed.add(own);
  }
}

function unfile(index: Map<string, Set<string>>, by: IndexKeys, object: KubernetesObject): void {
  const own = identityKey(identityOf(object));
  for (const key of by(object)) {
    const filed = index.get(key);
    filed?.delete(own);
    if (filed?.size === 0) index.delete(key);
  }
}
