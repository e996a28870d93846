import { groupOf, type KubernetesObject } from "../../objects/index.ts";
import type { ObjectKind } from "../api/api-resource.ts";
import type { Cluster } from "../cluster.ts";
import { systemTiming, type Timing } from "../timing.ts";
import { servesDepth } from "./depth.ts";
import { KindHandle } from "./kind-handle.ts";
import type { KindView, KindViewOptions } from "./kind-view.ts";
import { type WatchSelection, SharedWatch } from "./shared-watch.ts";

/**
 * The live state of a cluster as one process sees it: every kind of a namespace is watched once,
 * however many look at it.
 *
 * A watch is shared by those who ask for the same kind with the same selectors, in the same namespace
 * or in one of all namespaces that are watched, and for the same {@link Depth} or a shallower one.
 * When a wider or deeper watch comes later, users of the others move over to it.
 */
export interface ClusterView {
  /** How many objects are kept. */
  size(): number;
  /** The objects of a kind. Whoever no longer needs them releases them. */
  use(kind: ObjectKind, options?: KindViewOptions): KindView;
  /** Takes the answer to a write, for all who look at objects of its kind without a selector. */
  remember(object: KubernetesObject): void;
  /** The same view for a part of the process, which releases all that it uses by closing this. */
  part(options?: PartOptions): ClusterView;
  /** Ends all watches. */
  close(): Promise<void>;
}

export interface ClusterViewOptions {
  readonly timing?: Timing | undefined;
  /** How long a watch goes on that nobody uses: it is often needed again, and costs little. */
  readonly lingerMs?: number | undefined;
  /** More objects in one watch than this are a failure, not a memory that fills up. */
  readonly mostObjects?: number | undefined;
  /** How long a watch may be silent while somebody waits, before objects are read. */
  readonly silenceMs?: number | undefined;
}

export interface PartOptions {
  /** Called when a watch that the part uses is interrupted, fails or is forbidden. */
  readonly onTrouble?: ((kind: ObjectKind, error: unknown) => void) | undefined;
  /** Called with each kind that the part begins to look at. */
  readonly onUse?: ((view: KindView) => void) | undefined;
}

const usualLingerMs = 30_000;
const usualMostObjects = 200_000;

/** Looks at a cluster. Nothing is asked before somebody uses a kind. */
export function openClusterView(
  source: Pick<Cluster, "watch" | "list" | "find">,
  options: ClusterViewOptions = {},
): ClusterView {
  return new SharedView(source, options);
}

class SharedView implements ClusterView {
  readonly #source: Pick<Cluster, "watch" | "list" | "find">;
  readonly #options: ClusterViewOptions;
  /** By group and kind. */
  readonly #watches = new Map<string, Set<SharedWatch>>();
  readonly #lingering = new Map<SharedWatch, NodeJS.Timeout>();
  readonly #closing = new Set<Promise<void>>();

  constructor(source: Pick<Cluster, "watch" | "list" | "find">, options: ClusterViewOptions) {
    this.#source = source;
    this.#options = options;
  }

  size(): number {
    return [...this.#all()].reduce((sum, { copy }) => sum + copy.size, 0);
  }

  use(kind: ObjectKind, options: KindViewOptions = {}): KindView {
    return this.#use(kind, options, (watch) => {
      this.#released(watch);
    });
  }

  part({ onTrouble, onUse }: PartOptions = {}): ClusterView {
    const used = new Set<KindView>();
    let isClosed = false;
    return {
      size: () => this.size(),
      remember: (object) => {
        this.remember(object);
      },
      part: (options) => this.part(options),
      use: (kind, options = {}) => {
        const told = (error: unknown): void => {
          onTrouble?.(kind, error);
          options.onTrouble?.(error);
        };
        const view = this.#use(kind, { ...options, onTrouble: told }, (watch) => {
          used.delete(view);
          if (isClosed && watch.users.size === 0) this.#end(watch);
          else this.#released(watch);
        });
        used.add(view);
        onUse?.(view);
        return view;
      },
      close: async () => {
        isClosed = true;
        for (const view of used) view.release();
        await Promise.all(this.#closing);
      },
    };
  }

  #use(
    { apiVersion, kind }: ObjectKind,
    options: KindViewOptions,
    onRelease: (watch: SharedWatch) => void,
  ): KindView {
    const { namespace = "", labelSelector = "", fieldSelector = "", depth = "object" } = options;
    const selection = {
      kind: { apiVersion, kind },
      namespace,
      labelSelector,
      fieldSelector,
      depth,
    };
    const watch = this.#watchFor(selection);
    // What failed is tried again by the next one who needs it.
    watch.wake();
    return new KindHandle(selection, watch, options, onRelease);
  }

  remember(object: KubernetesObject): void {
    const { namespace = "" } = object.metadata;
    for (const { selection, copy } of this.#watches.get(groupKey(object)) ?? []) {
      if (selection.labelSelector !== "" || selection.fieldSelector !== "") continue;
      if (selection.namespace === "" || selection.namespace === namespace) copy.remember(object);
    }
  }

  async close(): Promise<void> {
    for (const watch of this.#all()) this.#end(watch);
    await Promise.all(this.#closing);
  }

  *#all(): Iterable<SharedWatch> {
    for (const watches of this.#watches.values()) yield* watches;
  }

  /** A wider watch counts as long as it may work: rights can be for one namespace only. */
  #watchFor(selection: WatchSelection): SharedWatch {
    const key = groupKey(selection.kind);
    const candidates = [...(this.#watches.get(key) ?? [])].filter(
      (watch) =>
        covers(watch.selection, selection) &&
        (watch.state === "watched" ||
          watch.state === "pending" ||
          watch.selection.namespace === selection.namespace),
    );
    const found = candidates.find(({ state }) => state === "watched") ?? candidates[0];
    if (found === undefined) return this.#open(key, selection);
    clearTimeout(this.#lingering.get(found));
    this.#lingering.delete(found);
    return found;
  }

  #open(key: string, selection: WatchSelection): SharedWatch {
    const { timing = systemTiming, mostObjects = usualMostObjects } = this.#options;
    const watch: SharedWatch = new SharedWatch(selection, {
      source: this.#source,
      timing,
      mostObjects,
      silenceMs: this.#options.silenceMs,
      onState: () => {
        if (watch.state === "watched") this.#gather(watch);
        else if (watch.state === "read" || watch.state === "forbidden") this.#scatter(watch);
      },
    });
    const known = this.#watches.get(key);
    if (known === undefined) this.#watches.set(key, new Set([watch]));
    else known.add(watch);
    return watch;
  }

  /** Whoever looks through a watch that this one covers looks through this one from now on. */
  #gather(watch: SharedWatch): void {
    for (const other of this.#watches.get(groupKey(watch.selection.kind)) ?? []) {
      if (other === watch || !covers(watch.selection, other.selection)) continue;
      for (const user of other.users) user.moveTo(watch);
      this.#end(other);
    }
  }

  /** Whoever needs only one namespace of all, which may not be watched, gets a watch of its own. */
  #scatter(watch: SharedWatch): void {
    const { namespace } = watch.selection;
    for (const user of watch.users)
      if (user.selection.namespace !== namespace) user.moveTo(this.#watchFor(user.selection));
    if (watch.users.size === 0) this.#end(watch);
  }

  #released(watch: SharedWatch): void {
    if (watch.users.size > 0) return;
    if (watch.state !== "watched" && (watch.state !== "pending" || watch.problem !== undefined)) {
      this.#end(watch);
      return;
    }
    clearTimeout(this.#lingering.get(watch));
    const timer = setTimeout(() => {
      if (watch.users.size === 0) this.#end(watch);
    }, this.#options.lingerMs ?? usualLingerMs);
    timer.unref();
    this.#lingering.set(watch, timer);
  }

  #end(watch: SharedWatch): void {
    clearTimeout(this.#lingering.get(watch));
    this.#lingering.delete(watch);
    const key = groupKey(watch.selection.kind);
    const siblings = this.#watches.get(key);
    siblings?.delete(watch);
    if (siblings?.size === 0) this.#watches.delete(key);
    const closing = watch.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}

function covers(one: WatchSelection, other: WatchSelection): boolean {
  return (
    one.kind.apiVersion === other.kind.apiVersion &&
    one.labelSelector === other.labelSelector &&
    one.fieldSelector === other.fieldSelector &&
    (one.namespace === "" || one.namespace === other.namespace) &&
    servesDepth(one.depth, other.depth)
  );
}

function groupKey({ apiVersion, kind }: ObjectKind): string {
  return `${groupOf(apiVersion)}/${kind}`;
}
