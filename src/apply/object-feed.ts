import { type Cluster, Informer, type InformerEvent, isApiError } from "../cluster/index.ts";
import { identityKey, type KubernetesObject, type ObjectIdentity } from "../objects/index.ts";

const firstPollMs = 500;
const longestPollMs = 10_000;
const restartMs = 250;

export interface FeedListener {
  /** An object has changed, come or gone. */
  readonly onChange: (event: InformerEvent) => void;
  /** Everything is known for the first time. */
  readonly onKnown: () => void;
  /** Watching is not allowed; from now on the feed reads again and again. */
  readonly onPolling: (error: unknown) => void;
  /** What is worth reading when only single reads are left. */
  readonly wanted: () => Iterable<ObjectIdentity>;
}

/**
 * The present state of the objects of one kind in one namespace: from a list and a watch, or by reading
 * them with back-off where watching is not allowed. A watch that fails at the start is tried again.
 */
export class ObjectFeed {
  readonly #cluster: Cluster;
  readonly #kind: { readonly apiVersion: string; readonly kind: string };
  readonly #namespace: string;
  readonly #listener: FeedListener;
  readonly #stop = new AbortController();
  /** What single reads found; undefined stands for an object that is not there. */
  readonly #polled = new Map<string, KubernetesObject | undefined>();
  #informer: Informer | undefined;
  #isKnown = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    cluster: Cluster,
    kind: { readonly apiVersion: string; readonly kind: string },
    namespace: string,
    listener: FeedListener,
  ) {
    this.#cluster = cluster;
    this.#kind = kind;
    this.#namespace = namespace;
    this.#listener = listener;
    this.#watch();
  }

  /** The object, "absent" when it is certainly not there, undefined as long as nobody knows. */
  look(identity: ObjectIdentity): KubernetesObject | "absent" | undefined {
    if (this.#informer !== undefined)
      return this.#informer.get(identity) ?? (this.#isKnown ? "absent" : undefined);
    const key = identityKey(identity);
    return this.#polled.has(key) ? (this.#polled.get(key) ?? "absent") : undefined;
  }

  /** Whether everything has been read once. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    await this.#informer?.close();
  }

  #watch(): void {
    const informer = new Informer(
      this.#cluster,
      this.#kind,
      this.#namespace === "" ? {} : { namespace: this.#namespace },
    );
    this.#informer = informer;
    informer.subscribe(this.#listener.onChange);
    informer.synced.then(
      () => {
        this.#isKnown = true;
        this.#listener.onKnown();
      },
      (error: unknown) => {
        if (this.#stop.signal.aborted) return;
        if (isApiError(error, "Forbidden", "MethodNotAllowed")) {
          this.#informer = undefined;
          this.#listener.onPolling(error);
          void this.#poll(firstPollMs);
        } else {
          this.#timer = setTimeout(() => {
            this.#watch();
          }, restartMs);
        }
      },
    );
  }

  /** Reads what is waited for, ever less often while nothing changes. */
  async #poll(delayMs: number): Promise<void> {
    let hasChanged = false;
    await Promise.all(
      [...this.#listener.wanted()].map(async (identity) => {
        hasChanged = (await this.#read(identity)) || hasChanged;
      }),
    );
    if (this.#stop.signal.aborted) return;
    this.#isKnown = true;
    this.#listener.onKnown();
    const next = hasChanged ? firstPollMs : Math.min(longestPollMs, delayMs * 1.5);
    this.#timer = setTimeout(() => void this.#poll(next), next);
  }

  async #read(identity: ObjectIdentity): Promise<boolean> {
    const key = identityKey(identity);
    const before = this.#polled.get(key);
    try {
      const reference = { ...this.#kind, namespace: identity.namespace, name: identity.name };
      const object = await this.#cluster.find(reference, { signal: this.#stop.signal });
      this.#polled.set(key, object);
      return before?.metadata.resourceVersion !== object?.metadata.resourceVersion;
    } catch {
      // Nobody knows: the next round tries again, and the deadline of whoever waits comes.
      return false;
    }
  }
}
