import type {
  ClusterView,
  IndexKeys,
  KindView,
  KindViewOptions,
  ObjectKind,
  ViewEvent,
} from "../../cluster/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";

export interface KindWatchesOptions extends KindViewOptions {
  readonly onChange: (event: ViewEvent) => void;
}

/** Watches of kinds that are known only on the way: each begins when its kind is first asked for. */
export class KindWatches {
  readonly #view: ClusterView;
  readonly #options: KindWatchesOptions;
  readonly #byKind = new Map<string, KindView>();

  constructor(view: ClusterView, options: KindWatchesOptions) {
    this.#view = view;
    this.#options = options;
  }

  /** Resolves when it is known what there is of a kind; rejects when that cannot be known. */
  async watch({ apiVersion, kind }: ObjectKind): Promise<void> {
    const key = `${apiVersion} ${kind}`;
    const known = this.#byKind.get(key);
    if (known !== undefined) {
      await known.synced;
      return;
    }
    const { onChange, ...options } = this.#options;
    const watched = this.#view.use({ apiVersion, kind }, options);
    this.#byKind.set(key, watched);
    watched.subscribe(onChange);
    try {
      await watched.synced;
    } catch (error) {
      // Begun anew by whoever asks next.
      if (this.#byKind.get(key) === watched) this.#byKind.delete(key);
      watched.release();
      throw error;
    }
  }

  /** The watch of a kind, if there is one. */
  of({ apiVersion, kind }: ObjectKind): KindView | undefined {
    return this.#byKind.get(`${apiVersion} ${kind}`);
  }

  /** Objects of all kinds that an index files under a key. */
  indexed(by: IndexKeys, key: string): readonly KubernetesObject[] {
    return [...this.#byKind.values()].flatMap((watched) => watched.indexed(by, key));
  }
}
