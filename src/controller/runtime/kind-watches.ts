import type { InformerEvent, ObjectKind } from "../../cluster/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import type { IndexKeys, SharedInformer, SharedInformerOptions } from "./shared-informer.ts";
import type { SharedInformers } from "./shared-informers.ts";

export interface KindWatchesOptions extends SharedInformerOptions {
  /** What the watches are for: those with the same purpose share them. */
  readonly purpose: string;
  readonly onChange: (event: InformerEvent) => void;
}

/** Watches of kinds that are known only on the way: each begins when its kind is first asked for. */
export class KindWatches {
  readonly #informers: SharedInformers;
  readonly #options: KindWatchesOptions;
  readonly #byKind = new Map<string, SharedInformer>();

  constructor(informers: SharedInformers, options: KindWatchesOptions) {
    this.#informers = informers;
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
    const { purpose, onChange, ...options } = this.#options;
    const { informer } = this.#informers.use({ apiVersion, kind }, purpose, options);
    this.#byKind.set(key, informer);
    informer.subscribe(onChange);
    try {
      await informer.synced;
    } catch (error) {
      // Begun anew by whoever asks next.
      if (this.#byKind.get(key) === informer) this.#byKind.delete(key);
      throw error;
    }
  }

  /** The watch of a kind, if there is one. */
  of({ apiVersion, kind }: ObjectKind): SharedInformer | undefined {
    return this.#byKind.get(`${apiVersion} ${kind}`);
  }

  /** Objects of all kinds that an index files under a key. */
  indexed(by: IndexKeys, key: string): readonly KubernetesObject[] {
    return [...this.#byKind.values()].flatMap((informer) => informer.indexed(by, key));
  }
}

/** Finds objects by their uid. */
export const byUid: IndexKeys = ({ metadata }) => [metadata.uid ?? ""];

/** Finds objects by the uids of what they belong to. */
export const byOwner: IndexKeys = ({ metadata }) =>
  (metadata.ownerReferences ?? []).map(({ uid }) => uid);
