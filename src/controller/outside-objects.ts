import type { ClusterView, KindView, ObjectKind, ViewEvent } from "../cluster/index.ts";
import type { KubernetesObject } from "../objects/index.ts";

/** Objects of a kind that are somebody else's, and how they were when they were read. */
export interface OutsideObjects extends ObjectKind {
  /** Says which objects these are; equal texts stand for the same ones. */
  readonly which: string;
  readonly concerns: (object: KubernetesObject) => boolean;
  readonly seen: readonly KubernetesObject[];
}

interface Watched {
  readonly objects: KindView;
  unsubscribe: () => void;
  /** By user. */
  readonly wanted: Map<string, OutsideObjects[]>;
}

/**
 * Watches what owners look at and do not own: an object whose name they want, one that they select. A
 * kind is watched, by its metadata only, as long as somebody waits for one of its objects.
 */
export class OutsideWatches {
  readonly #informers: ClusterView;
  readonly #namespace: string | undefined;
  readonly #onChange: (user: string) => void;
  readonly #watched = new Map<string, Watched>();

  constructor(
    informers: ClusterView,
    namespace: string | undefined,
    onChange: (user: string) => void,
  ) {
    this.#informers = informers;
    this.#namespace = namespace;
    this.#onChange = onChange;
  }

  /** From now on a user is told of changes of just these. */
  set(user: string, wanted: readonly OutsideObjects[]): void {
    const byKind = Map.groupBy(wanted, ({ apiVersion, kind }) => `${apiVersion} ${kind}`);
    for (const [key, watched] of this.#watched) {
      if (byKind.has(key)) continue;
      watched.wanted.delete(user);
      if (watched.wanted.size === 0) this.#release(key, watched);
    }
    for (const [key, objects] of byKind) this.#want(user, key, objects);
  }

  #want(user: string, key: string, objects: OutsideObjects[]): void {
    const [first] = objects;
    if (first === undefined) return;
    const watched = this.#watched.get(key) ?? this.#begin(key, first);
    const known = new Set(watched.wanted.get(user)?.map(({ which }) => which));
    watched.wanted.set(user, objects);
    const news = objects.filter(({ which }) => !known.has(which));
    if (news.length > 0) void this.#compare(user, key, watched, news);
  }

  /** What changed between the reading and the watch would else never be told of. */
  async #compare(
    user: string,
    key: string,
    watched: Watched,
    news: readonly OutsideObjects[],
  ): Promise<void> {
    const { objects } = watched;
    try {
      await objects.synced;
    } catch {
      // What may not be watched is looked at again when everything is.
      if (this.#watched.get(key) === watched) this.#release(key, watched);
      return;
    }
    const isSame = news.every(({ concerns, seen }) => {
      const now = [...objects.objects()].filter(concerns);
      return versionsOf(now) === versionsOf(seen);
    });
    if (!isSame) this.#onChange(user);
  }

  #begin(key: string, { apiVersion, kind }: ObjectKind): Watched {
    const objects = this.#informers.use(
      { apiVersion, kind },
      { namespace: this.#namespace, depth: "metadata" },
    );
    const watched: Watched = { objects, unsubscribe: () => undefined, wanted: new Map() };
    this.#watched.set(key, watched);
    const follow = ({ object, previous }: ViewEvent): void => {
      const isConcerned = ({ concerns }: OutsideObjects): boolean =>
        concerns(object) || (previous !== undefined && concerns(previous));
      for (const [user, wanted] of watched.wanted)
        if (wanted.some(isConcerned)) this.#onChange(user);
    };
    // What is there from the start is no news: it is compared with what was seen.
    objects.synced.then(
      () => {
        if (this.#watched.get(key) === watched) watched.unsubscribe = objects.subscribe(follow);
      },
      () => undefined,
    );
    return watched;
  }

  #release(key: string, watched: Watched): void {
    this.#watched.delete(key);
    watched.unsubscribe();
    watched.objects.release();
  }
}

function versionsOf(objects: readonly KubernetesObject[]): string {
  return objects
    .map(({ metadata }) => `${metadata.uid ?? ""} ${metadata.resourceVersion ?? ""}`)
    .toSorted()
    .join();
}
