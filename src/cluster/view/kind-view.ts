import type { KubernetesObject, ObjectIdentity } from "../../objects/index.ts";
import type { ObjectKind } from "../api/api-resource.ts";
import type { Depth } from "./depth.ts";

export interface ViewEvent {
  readonly kind: "added" | "updated" | "deleted";
  readonly object: KubernetesObject;
  /** The object before an update. */
  readonly previous?: KubernetesObject | undefined;
}

/** By what objects can be found besides their names. The same function is the same index. */
export type IndexKeys = (object: KubernetesObject) => readonly string[];

/**
 * How much is known of a kind:
 * - `pending`: nothing yet; after a failure it is tried again
 * - `watched`: everything, and every change as it happens
 * - `read`: watching is forbidden or does not work; objects are read again and again
 * - `forbidden`: neither watching nor listing is allowed; it is tried again
 * - `unserved`: the cluster does not serve the kind; see {@link KindView.wake}
 */
export type KindState = "pending" | "watched" | "read" | "forbidden" | "unserved";

export interface KindViewOptions {
  /** All namespaces unless given. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** How much of each object is kept; `object` unless given. */
  readonly depth?: Depth | undefined;
  /** Names the objects that somebody waits for. Where watching does not work, these are read instead of all. */
  readonly wanted?: (() => Iterable<ObjectIdentity>) | undefined;
  /** Called after each attempt to learn more, when {@link KindView.state} may have changed. */
  readonly onState?: (() => void) | undefined;
  /** Called when watching is interrupted, fails or is forbidden: once for failures in a row. */
  readonly onTrouble?: ((error: unknown) => void) | undefined;
}

/** The objects of a kind, as one user of a {@link ClusterView} sees them. */
export interface KindView {
  readonly kind: ObjectKind;
  /** Empty for all namespaces. */
  readonly namespace: string;
  readonly state: KindState;
  /** Why the objects are not known. */
  readonly problem: unknown;
  /** Resolves when the objects are known; rejects when the present attempt to read them failed. */
  readonly synced: Promise<void>;
  get(identity: ObjectIdentity): KubernetesObject | undefined;
  /** The object, "absent" when it does not exist, undefined as long as that is not known. */
  look(identity: ObjectIdentity): KubernetesObject | "absent" | undefined;
  objects(): Iterable<KubernetesObject>;
  /** The objects that an index files under a key. */
  indexed(by: IndexKeys, key: string): readonly KubernetesObject[];
  /** Calls back for every change; with `replay` first for every object. Returns how to stop. */
  subscribe(
    listener: (event: ViewEvent) => void,
    options?: { readonly replay?: boolean },
  ): () => void;
  /** Takes the answer to a write, which counts until the watch has reported it or something newer. */
  remember(object: KubernetesObject): void;
  /** Tries again at once what failed, is forbidden or was not served. */
  wake(): void;
  /** Ends the use. The watch goes on for others, and for a while in case it is needed again. */
  release(): void;
}
