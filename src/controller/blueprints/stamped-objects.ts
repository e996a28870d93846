import { type Accepted, acceptedBy } from "../../blueprints/index.ts";
import {
  byUid,
  type ClusterView,
  type KindView,
  type ObjectKind,
  type ViewEvent,
} from "../../cluster/index.ts";
import { takenOver } from "../../merge/index.ts";
import {
  identityKey,
  identityOf,
  type KubernetesObject,
  type ObjectIdentity,
  type OwnerReference,
} from "../../objects/index.ts";

export interface StampedObjectsOptions {
  readonly informers: ClusterView;
  /** All namespaces unless given. */
  readonly namespace: string | undefined;
  /** Only objects with this label are kept: those that were stamped. */
  readonly label: string;
  /** Told when something that was stamped has changed, other than by our own hand. */
  readonly onChange: (owner: OwnerReference, namespace: string) => void;
}

interface Watched {
  readonly informer: KindView;
  readonly synced: Promise<void>;
}

/** What we wrote and the watch may not have told of yet. */
interface Written {
  readonly kind: ObjectKind;
  readonly identity: ObjectIdentity;
}

/**
 * The objects that were stamped, of whatever kinds these are: each kind is watched from the first time
 * that it is met, so that what changes later is noticed.
 */
export class StampedObjects {
  /** The answers to our writes, by uid. */
  readonly accepted = new Map<string, Accepted>();
  /** Identity keys of what was deleted to be made anew. */
  readonly replacing = new Set<string>();
  readonly #options: StampedObjectsOptions;
  readonly #watched = new Map<string, Watched>();
  readonly #written = new Map<string, Map<string, Written>>();
  /** The versions that our own writes made, by uid. */
  readonly #ownVersions = new Map<string, string>();

  constructor(options: StampedObjectsOptions) {
    this.#options = options;
  }

  /** Begins to watch a kind, if nobody did; resolves when its objects are known. */
  async watch(kind: ObjectKind): Promise<void> {
    await this.#watch(kind).synced;
  }

  /**
   * All that was stamped for an owner, of all kinds that are watched. Owners are of the same namespace: an
   * object elsewhere that names this one was not stamped for it, whatever it says.
   */
  of({ metadata: { uid = "", namespace } }: KubernetesObject): readonly KubernetesObject[] {
    const found = new Map<string, KubernetesObject>();
    for (const { informer } of this.#watched.values())
      for (const object of informer.indexed(byOwner, uid))
        if (object.metadata.namespace === namespace)
          found.set(identityKey(identityOf(object)), object);
    for (const [key, { kind, identity }] of this.#written.get(uid) ?? []) {
      const object = this.#watched.get(keyOf(kind))?.informer.get(identity);
      if (object !== undefined) found.set(key, object);
    }
    return [...found.values()];
  }

  /** The stamped object of a uid, if it is one. */
  withUid(uid: string): readonly KubernetesObject[] {
    return [...this.#watched.values()].flatMap(({ informer }) => informer.indexed(byUid, uid));
  }

  /** Takes the answer to a write of ours. */
  remember(asked: KubernetesObject, object: KubernetesObject): void {
    const uid = object.metadata.uid ?? "";
    this.#watch(object).informer.remember(object);
    this.accepted.set(uid, acceptedBy(asked, object));
    this.#ownVersions.set(uid, object.metadata.resourceVersion ?? "");
    const owner = ownerOf(object)?.uid ?? "";
    const written = this.#written.get(owner) ?? new Map<string, Written>();
    this.#written.set(owner, written);
    const { apiVersion, kind } = object;
    const identity = identityOf(object);
    written.set(identityKey(identity), { kind: { apiVersion, kind }, identity });
  }

  /** Takes the answer to a deletion or a release of ours. */
  rememberLeaving(object: KubernetesObject): void {
    this.#watch(object).informer.remember(object);
  }

  forget(ownerUid: string): void {
    this.#written.delete(ownerUid);
  }

  #watch(kind: ObjectKind): Watched {
    const key = keyOf(kind);
    const known = this.#watched.get(key);
    if (known !== undefined) return known;
    const { label, informers, namespace } = this.#options;
    const { apiVersion } = kind;
    const informer = informers.use(
      { apiVersion, kind: kind.kind },
      { labelSelector: label, namespace, depth: withLeftovers },
    );
    informer.indexed(byOwner, "");
    informer.subscribe((event) => {
      this.#follow(event);
    });
    const watched = { informer, synced: informer.synced };
    this.#watched.set(key, watched);
    // A kind that is not served today may be tomorrow.
    watched.synced.catch(() => {
      this.#watched.delete(key);
      informer.release();
    });
    return watched;
  }

  #follow({ kind, object }: ViewEvent): void {
    const uid = object.metadata.uid ?? "";
    const owner = ownerOf(object);
    if (kind === "deleted") {
      this.accepted.delete(uid);
      this.#ownVersions.delete(uid);
      this.#written.get(owner?.uid ?? "")?.delete(identityKey(identityOf(object)));
    } else if (this.#ownVersions.get(uid) === object.metadata.resourceVersion) {
      return;
    }
    if (owner !== undefined) this.#options.onChange(owner, object.metadata.namespace ?? "");
  }
}

/** Managed fields are half of an object: they are kept only where client-side `kubectl apply` left some. */
function withLeftovers(object: KubernetesObject): KubernetesObject {
  if (takenOver(object, "") !== undefined) return object;
  const { managedFields: _dropped, ...metadata } = object.metadata;
  return { ...object, metadata };
}

export function ownerOf({ metadata }: KubernetesObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true);
}

function byOwner(object: KubernetesObject): readonly string[] {
  const uid = ownerOf(object)?.uid;
  return uid === undefined ? [] : [uid];
}

function keyOf({ apiVersion, kind }: ObjectKind): string {
  return `${apiVersion} ${kind}`;
}
