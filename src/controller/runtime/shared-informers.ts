import type { Cluster, ObjectKind } from "../../cluster/index.ts";
import { SharedInformer, type SharedInformerOptions } from "./shared-informer.ts";

/** A watch that several share; whoever no longer needs it releases it. */
export interface InformerHandle {
  readonly informer: SharedInformer;
  readonly release: () => void;
}

interface Shared {
  readonly informer: SharedInformer;
  users: number;
}

/** How long a watch that nobody uses is kept: what was just released is often wanted again. */
const lingerMs = 30_000;

/** One watch for each kind, however many want it. */
export class SharedInformers {
  readonly #cluster: Pick<Cluster, "watch">;
  readonly #onTrouble: (kind: ObjectKind, error: unknown) => void;
  readonly #shared = new Map<string, Shared>();
  readonly #lingering = new Set<NodeJS.Timeout>();

  constructor(
    cluster: Pick<Cluster, "watch">,
    onTrouble: (kind: ObjectKind, error: unknown) => void,
  ) {
    this.#cluster = cluster;
    this.#onTrouble = onTrouble;
  }

  /** How many objects are kept in all. */
  get size(): number {
    return [...this.#shared.values()].reduce((sum, { informer }) => sum + informer.size, 0);
  }

  /** How many kinds are watched. */
  get watches(): number {
    return this.#shared.size;
  }

  /**
   * The watch of a kind. Options belong to the purpose: whoever asks with the same purpose shares the
   * watch of the first who asked.
   */
  use(kind: ObjectKind, purpose: string, options: SharedInformerOptions = {}): InformerHandle {
    const key = `${kind.apiVersion} ${kind.kind} ${options.namespace ?? ""} ${options.labelSelector ?? ""} ${purpose}`;
    const shared = this.#shared.get(key) ?? this.#begin(key, kind, options);
    shared.users++;
    let isReleased = false;
    return {
      informer: shared.informer,
      release: () => {
        if (isReleased) return;
        isReleased = true;
        shared.users--;
        if (shared.users === 0) this.#linger(key, shared);
      },
    };
  }

  async close(): Promise<void> {
    for (const timer of this.#lingering) clearTimeout(timer);
    await Promise.all([...this.#shared.values()].map(({ informer }) => informer.close()));
    this.#shared.clear();
  }

  #begin(key: string, kind: ObjectKind, options: SharedInformerOptions): Shared {
    const informer = new SharedInformer(this.#cluster, kind, {
      ...options,
      onTrouble: (error) => {
        this.#onTrouble(kind, error);
      },
    });
    const shared: Shared = { informer, users: 0 };
    this.#shared.set(key, shared);
    // A watch that never began is tried again by the next one who wants it.
    informer.synced.catch(() => {
      if (this.#shared.get(key) === shared) this.#shared.delete(key);
    });
    return shared;
  }

  #linger(key: string, shared: Shared): void {
    const timer = setTimeout(() => {
      this.#lingering.delete(timer);
      if (shared.users > 0 || this.#shared.get(key) !== shared) return;
      this.#shared.delete(key);
      void shared.informer.close();
    }, lingerMs);
    timer.unref();
    this.#lingering.add(timer);
  }
}
