import {
  type Cluster,
  Informer,
  type InformerEvent,
  isApiError,
  isUnserved,
} from "../cluster/index.ts";
import type { KubernetesObject } from "../objects/index.ts";

const firstRetryMs = 250;
const longestRetryMs = 5_000;

export interface OwnedKindsListener {
  /** An object of a kind that somebody waits for has changed, come or gone. */
  readonly onChange: (event: InformerEvent) => void;
  /** All objects of a kind are known. */
  readonly onKnown: () => void;
  /** A kind may not be watched; from now on it is listed again and again. */
  readonly onForbidden: (kind: string, namespace: string, error: unknown) => void;
}

/** A kind in a namespace, watched as long as it is in use. */
export interface OwnedKind {
  readonly isKnown: () => boolean;
  /** Ends the watch, unless somebody else uses it. */
  readonly release: () => void;
}

/** Watches the kinds that instances of other kinds wait to own, only while somebody waits. */
export class OwnedKinds {
  readonly #cluster: Cluster;
  readonly #listener: OwnedKindsListener;
  readonly #feeds = new Map<string, OwnedFeed>();
  readonly #closing = new Set<Promise<void>>();

  constructor(cluster: Cluster, listener: OwnedKindsListener) {
    this.#cluster = cluster;
    this.#listener = listener;
  }

  use(apiVersion: string, kind: string, namespace: string): OwnedKind {
    const key = `${apiVersion}/${kind}/${namespace}`;
    const feed =
      this.#feeds.get(key) ??
      new OwnedFeed(this.#cluster, { apiVersion, kind }, namespace, this.#listener);
    this.#feeds.set(key, feed);
    feed.users++;
    const release = (): void => {
      if (--feed.users > 0) return;
      this.#feeds.delete(key);
      feed.takeBack();
      const closing = feed.close().finally(() => this.#closing.delete(closing));
      this.#closing.add(closing);
    };
    return { isKnown: () => feed.isKnown, release };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#feeds.values()].map((feed) => feed.close()));
    await Promise.all(this.#closing);
  }
}

/** The objects of one kind: by list and watch, by lists where watching is not allowed. */
class OwnedFeed {
  users = 0;
  readonly #cluster: Cluster;
  readonly #kind: { readonly apiVersion: string; readonly kind: string };
  readonly #namespace: string;
  readonly #listener: OwnedKindsListener;
  readonly #stop = new AbortController();
  /** What has been told, by uid, to be taken back when nobody looks any longer. */
  readonly #told = new Map<string, KubernetesObject>();
  #informer: Informer | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isKnown = false;

  constructor(
    cluster: Cluster,
    kind: { readonly apiVersion: string; readonly kind: string },
    namespace: string,
    listener: OwnedKindsListener,
  ) {
    this.#cluster = cluster;
    this.#kind = kind;
    this.#namespace = namespace;
    this.#listener = listener;
    this.#watch(firstRetryMs);
  }

  get isKnown(): boolean {
    return this.#isKnown;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    await this.#informer?.close();
  }

  /** What was told is not known any longer once nobody looks. */
  takeBack(): void {
    for (const object of this.#told.values()) this.#listener.onChange({ kind: "deleted", object });
    this.#told.clear();
  }

  #watch(retryMs: number): void {
    const informer = new Informer(this.#cluster, this.#kind, {
      ...this.#selection(),
      keep: (object) => this.#kept(object),
    });
    this.#informer = informer;
    informer.subscribe((event) => {
      this.#tell(event);
    });
    informer.synced.then(
      () => {
        this.#know();
      },
      (error: unknown) => {
        if (this.#stop.signal.aborted) return;
        if (isApiError(error, "Forbidden", "MethodNotAllowed")) {
          this.#listener.onForbidden(this.#kind.kind, this.#namespace, error);
          void this.#list(firstRetryMs);
          return;
        }
        // Of a kind that nobody serves there is nothing; its definition may come with this very run.
        if (isUnserved(error)) this.#know();
        this.#again(retryMs, (pauseMs) => {
          this.#watch(pauseMs);
        });
      },
    );
  }

  async #list(retryMs: number): Promise<void> {
    try {
      const { items } = await this.#cluster.list(this.#kind, {
        ...this.#selection(),
        signal: this.#stop.signal,
      });
      const gone = new Map(this.#told);
      for (const object of items) {
        gone.delete(object.metadata.uid ?? "");
        this.#tell({ kind: "updated", object: this.#kept(object) });
      }
      for (const object of gone.values()) this.#tell({ kind: "deleted", object });
    } catch {
      // What cannot be seen does not count; the next round tries again.
    }
    this.#know();
    this.#again(retryMs, (pauseMs) => {
      void this.#list(pauseMs);
    });
  }

  /** Who owns an object is in its metadata; the rest may be large, or secret. */
  #selection(): { readonly metadataOnly: true; readonly namespace?: string } {
    const place = this.#namespace === "" ? {} : { namespace: this.#namespace };
    return { ...place, metadataOnly: true };
  }

  #kept({
    metadata: { managedFields: _dropped, ...metadata },
  }: KubernetesObject): KubernetesObject {
    return { ...this.#kind, metadata };
  }

  #again(delayMs: number, run: (nextMs: number) => void): void {
    if (this.#stop.signal.aborted) return;
    this.#timer = setTimeout(() => {
      run(Math.min(longestRetryMs, delayMs * 2));
    }, delayMs);
  }

  #tell(event: InformerEvent): void {
    const uid = event.object.metadata.uid ?? "";
    if (event.kind === "deleted") this.#told.delete(uid);
    else this.#told.set(uid, event.object);
    this.#listener.onChange(event);
  }

  #know(): void {
    if (this.#stop.signal.aborted) return;
    this.#isKnown = true;
    this.#listener.onKnown();
  }
}
