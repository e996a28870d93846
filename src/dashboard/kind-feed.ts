import {
  type Cluster,
  Informer,
  isApiError,
  isUnserved,
  type ObjectKind,
} from "../cluster/index.ts";
import { type KubernetesObject, maskSecrets, type ObjectIdentity } from "../objects/index.ts";

const firstRetryMs = 500;
const longestRetryMs = 30_000;

/** The objects of a kind in a namespace, by list and watch, begun again as often as it must be. */
export class KindFeed {
  readonly kind: ObjectKind;
  readonly #cluster: Cluster;
  readonly #namespace: string;
  readonly #onChange: () => void;
  #informer: Informer | undefined;
  #timer: NodeJS.Timeout | undefined;
  #retryMs = firstRetryMs;
  #isClosed = false;
  #isKnown = false;
  #isUnserved = false;
  #problem: string | undefined;

  constructor(cluster: Cluster, kind: ObjectKind, namespace: string, onChange: () => void) {
    this.#cluster = cluster;
    this.kind = kind;
    this.#namespace = namespace;
    this.#onChange = onChange;
    this.#begin();
  }

  /** Whether all objects have been read, or there can be none. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** Why the objects cannot be seen. */
  get problem(): string | undefined {
    return this.#problem;
  }

  get(identity: ObjectIdentity): KubernetesObject | undefined {
    return this.#informer?.get(identity);
  }

  objects(): Iterable<KubernetesObject> {
    return this.#informer?.objects() ?? [];
  }

  /** The cluster serves other kinds now: perhaps this one too. */
  wake(): void {
    if (this.#isUnserved) this.#begin();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#informer?.close();
  }

  #begin(): void {
    if (this.#isClosed) return;
    this.#isUnserved = false;
    const informer = new Informer(this.#cluster, this.kind, {
      ...(this.#namespace === "" ? {} : { namespace: this.#namespace }),
      keep: withoutSecrets,
    });
    this.#informer = informer;
    informer.subscribe(this.#onChange);
    informer.synced.then(
      () => {
        this.#retryMs = firstRetryMs;
        this.#know(undefined);
      },
      (error: unknown) => {
        this.#failed(error);
      },
    );
  }

  #failed(error: unknown): void {
    if (this.#isClosed) return;
    if (isUnserved(error)) {
      // Whoever defines the kind wakes this feed.
      this.#isUnserved = true;
      this.#know(undefined);
      return;
    }
    const where = this.#namespace === "" ? "" : ` in ${this.#namespace}`;
    const why = isApiError(error, "Forbidden")
      ? "you may not watch them"
      : error instanceof Error
        ? error.message
        : String(error);
    this.#know(`${this.kind.kind} objects${where} are not shown: ${why}`);
    this.#timer = setTimeout(() => {
      this.#begin();
    }, this.#retryMs);
    this.#retryMs = Math.min(longestRetryMs, this.#retryMs * 2);
  }

  #know(problem: string | undefined): void {
    this.#isKnown = true;
    this.#problem = problem;
    this.#onChange();
  }
}

/** What is never kept cannot be sent. */
function withoutSecrets(object: KubernetesObject): KubernetesObject {
  const { managedFields: _dropped, ...kept } = object.metadata;
  return maskSecrets({ ...object, metadata: kept });
}
