import {
  byOwner,
  byUid,
  type Cluster,
  isApiError,
  type KindView,
  type KindViewOptions,
  type ObjectKind,
  type ViewEvent,
} from "../cluster/index.ts";
import { DiagnosticError } from "../diagnostics/index.ts";
import type { KubernetesObject, ObjectIdentity } from "../objects/index.ts";
import type { Emit } from "../events/index.ts";

const pods: ObjectKind = { apiVersion: "v1", kind: "Pod" };
const replicaSets: ObjectKind = { apiVersion: "apps/v1", kind: "ReplicaSet" };

export interface ReadinessViewsListener {
  /** An object that may be waited for has changed, come or gone. */
  readonly onObject: (object: KubernetesObject) => void;
  /** Something below the objects of these uids has changed. */
  readonly onChild: (owners: ReadonlySet<string>) => void;
  /** More is known than before. */
  readonly onState: () => void;
  /** What is waited for, of a kind in a namespace. */
  readonly wanted: (kind: string, namespace: string) => Iterable<ObjectIdentity>;
}

interface UseOptions extends KindViewOptions {
  readonly depth: "masked" | "metadata";
  readonly onEvent: (event: ViewEvent) => void;
}

/** What a run looks at to tell whether objects are ready: these objects, and their children. */
export class ReadinessViews {
  readonly #cluster: Cluster;
  readonly #emit: Emit;
  readonly #listener: ReadinessViewsListener;
  readonly #own = new Map<string, KindView>();
  readonly #children = new Map<string, KindView>();
  /** Kinds of which it was said that they may not be watched. */
  readonly #polled = new Set<string>();

  constructor(cluster: Cluster, emit: Emit, listener: ReadinessViewsListener) {
    this.#cluster = cluster;
    this.#emit = emit;
    this.#listener = listener;
  }

  /** Objects that are waited for. */
  of({ apiVersion, kind }: ObjectKind, namespace: string): KindView {
    const { onObject, wanted } = this.#listener;
    return this.#use(this.#own, { apiVersion, kind }, namespace, {
      depth: "masked",
      wanted: () => wanted(kind, namespace),
      onEvent: ({ object }) => {
        onObject(object);
      },
    });
  }

  /** Objects that belong to what is waited for. Who owns an object is in its metadata. */
  children(kind: ObjectKind, namespace: string, depth: "masked" | "metadata"): KindView {
    return this.#use(this.#children, kind, namespace, {
      depth,
      onEvent: ({ object }) => {
        this.#listener.onChild(this.#ownersOf(object));
      },
    });
  }

  pods(namespace: string): KindView {
    return this.children(pods, namespace, "masked");
  }

  /** The pods of a namespace, if they are looked at. */
  knownPods(namespace: string): KindView | undefined {
    return this.#children.get(viewKey(pods, namespace, "masked"));
  }

  /** What controllers make of workloads. */
  workloads(namespace: string): readonly KindView[] {
    return [this.children(replicaSets, namespace, "masked"), this.pods(namespace)];
  }

  childrenOf({ metadata: { uid = "" } }: KubernetesObject): readonly KubernetesObject[] {
    return [...this.#children.values()].flatMap((view) => view.indexed(byOwner, uid));
  }

  /** Looks for kinds that were not served: their definitions may come with this very run. */
  wake(): void {
    for (const view of this.#all()) if (view.state === "unserved") view.wake();
  }

  release(): void {
    for (const view of this.#all()) view.release();
  }

  #all(): readonly KindView[] {
    return [...this.#own.values(), ...this.#children.values()];
  }

  /** The uids of what owns an object, of what owns that, and so on. */
  #ownersOf(object: KubernetesObject): ReadonlySet<string> {
    const found = new Set<string>();
    const queue = [...byOwner(object)];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (found.has(next)) continue;
      found.add(next);
      for (const view of this.#children.values())
        queue.push(...view.indexed(byUid, next).flatMap(byOwner));
    }
    return found;
  }

  #use(
    views: Map<string, KindView>,
    { apiVersion, kind }: ObjectKind,
    namespace: string,
    { onEvent, ...options }: UseOptions,
  ): KindView {
    const key = viewKey({ apiVersion, kind }, namespace, options.depth);
    const known = views.get(key);
    if (known !== undefined) return known;
    const view = this.#cluster.view.use(
      { apiVersion, kind },
      {
        ...options,
        ...(namespace === "" ? {} : { namespace }),
        onState: this.#listener.onState,
        onTrouble: (error) => {
          this.#tellPolling(kind, namespace, error);
        },
      },
    );
    views.set(key, view);
    view.subscribe(onEvent);
    return view;
  }

  #tellPolling(kind: string, namespace: string, error: unknown): void {
    const where = namespace === "" ? "" : ` in the namespace ${namespace}`;
    const what = `${kind} objects${where}`;
    if (!isApiError(error, "Forbidden", "MethodNotAllowed") || this.#polled.has(what)) return;
    this.#polled.add(what);
    const detail = error instanceof DiagnosticError ? error.diagnostics[0]?.summary : undefined;
    this.#emit({
      type: "warning",
      code: "live.watch-forbidden",
      severity: "warning",
      summary: `${what} may not be watched; they are read again and again instead`,
      ...(detail === undefined ? {} : { detail }),
    });
  }
}

function viewKey({ apiVersion, kind }: ObjectKind, namespace: string, depth: string): string {
  return `${apiVersion}/${kind}/${namespace}/${depth}`;
}
