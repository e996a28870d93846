import { runsPods } from "../assembly/index.ts";
import {
  byOwner,
  type Cluster,
  isApiError,
  type KindView,
  type ObjectKind,
  type ResourceIndex,
} from "../cluster/index.ts";
import { groupApiVersion, groupKind } from "../inventory/index.ts";
import { isJsonObject } from "../json/index.ts";
import {
  groupOf,
  identityKey,
  type KubernetesObject,
  type ObjectIdentity,
  apiVersionOf,
} from "../objects/index.ts";
import { ruleBook } from "../readiness/index.ts";
import { chainKinds, isOwnerKind, stampedReferences } from "./chain-kinds.ts";
import { textOf } from "./text-of.ts";

const groupResource: ObjectKind = { apiVersion: groupApiVersion, kind: groupKind };
const definitionResource: ObjectKind = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
};
const events: ObjectKind = { apiVersion: "v1", kind: "Event" };
/** What controllers make of workloads. */
const derived: readonly ObjectKind[] = [
  { apiVersion: "v1", kind: "Pod" },
  { apiVersion: "apps/v1", kind: "ReplicaSet" },
  { apiVersion: "batch/v1", kind: "Job" },
];

/** Every inventory of a cluster and what it owns, and what somebody names beside it, watched only where there is any of it. */
export class ClusterWatch {
  readonly #cluster: Cluster;
  readonly #onChange: () => void;
  readonly #groups: KindView;
  readonly #definitions: KindView;
  readonly #views = new Map<string, KindView>();
  #byNamespace: ReadonlyMap<string, readonly KindView[]> = new Map();
  #resources: ResourceIndex | undefined;
  /** What is watched though no inventory owns it. */
  #others: readonly ObjectIdentity[] = [];
  #isClosed = false;
  #isFollowing = false;

  constructor(cluster: Cluster, onChange: () => void) {
    this.#cluster = cluster;
    this.#onChange = onChange;
    this.#groups = this.#use(groupResource, "", () => {
      this.#follow();
      onChange();
    });
    this.#definitions = this.#use(definitionResource, "", () => {
      void this.#discover();
    });
    void this.#discover();
  }

  get groups(): readonly KubernetesObject[] {
    return [...this.#groups.objects()];
  }

  get definitions(): readonly KubernetesObject[] {
    return [...this.#definitions.objects()];
  }

  get resources(): ResourceIndex | undefined {
    return this.#resources;
  }

  get isComplete(): boolean {
    const views = [this.#groups, this.#definitions, ...this.#views.values()];
    return this.#resources !== undefined && views.every(isKnown);
  }

  get problems(): readonly string[] {
    return [this.#groups, ...this.#views.values()].flatMap((view) => problemOf(view) ?? []);
  }

  /** The object, "absent" when it is certainly not there, undefined as long as nobody knows. */
  look(identity: ObjectIdentity): KubernetesObject | "absent" | undefined {
    const resource = this.#resources?.preferred(identity.group, identity.kind);
    if (resource === undefined) return this.#resources === undefined ? undefined : "absent";
    const kind = { apiVersion: apiVersionOf(resource), kind: resource.kind };
    const view =
      this.#views.get(viewKey(kind, "")) ?? this.#views.get(viewKey(kind, identity.namespace));
    return view?.state === "unserved" ? "absent" : view?.look(identity);
  }

  /** Watches these, too, instead of those that were named before. */
  watchOthers(others: readonly ObjectIdentity[]): void {
    const isSame = others.map(identityKey).join() === this.#others.map(identityKey).join();
    if (isSame) return;
    this.#others = others;
    this.#follow();
  }

  /** All objects of a kind that is watched in all namespaces. */
  everywhere(kind: ObjectKind): readonly KubernetesObject[] {
    return [...(this.#views.get(viewKey(kind, ""))?.objects() ?? [])];
  }

  /** Workloads and Deliverables, whoever looks after them. */
  owners(): readonly KubernetesObject[] {
    return [...this.#views.values()]
      .filter(({ kind }) => isOwnerKind(kind))
      .flatMap((view) => [...view.objects()]);
  }

  /** What belongs to an object. What is in a namespace owns only what is there, too. */
  childrenOf({ metadata: { uid = "", namespace } }: KubernetesObject): readonly KubernetesObject[] {
    const views =
      namespace === undefined
        ? [...this.#views.values()]
        : [...(this.#byNamespace.get(namespace) ?? []), ...(this.#byNamespace.get("") ?? [])];
    return views.flatMap((view) => view.indexed(byOwner, uid));
  }

  /** Events by the uid of what they are about. */
  events(): ReadonlyMap<string, readonly KubernetesObject[]> {
    const found = [...this.#views.values()]
      .filter(({ kind }) => kind.kind === events.kind)
      .flatMap((view) => [...view.objects()]);
    return Map.groupBy(found, (event) => {
      const about = event["involvedObject"];
      return isJsonObject(about) && typeof about["uid"] === "string" ? about["uid"] : "";
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const view of [this.#groups, this.#definitions, ...this.#views.values()]) view.release();
  }

  /** Learns what the cluster serves; again after each change of a definition. */
  async #discover(): Promise<void> {
    try {
      this.#resources = await this.#cluster.refreshResources();
    } catch {
      // The views try again and tell what is wrong; the next definition brings us here again.
      return;
    }
    if (this.#isClosed) return;
    for (const view of [this.#groups, ...this.#views.values()])
      if (view.state === "unserved") view.wake();
    this.#follow();
    this.#onChange();
  }

  /** Owners say what was stamped for them; what comes at once is looked at once. */
  #followSoon(): void {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    setImmediate(() => {
      this.#isFollowing = false;
      this.#follow();
    });
  }

  /** Watches what the inventories own and what supply chains are made of, and nothing else. */
  #follow(): void {
    if (this.#resources === undefined || this.#isClosed) return;
    const wanted = new Map<string, { readonly kind: ObjectKind; readonly namespace: string }>();
    const want = (kind: ObjectKind, namespace: string): void => {
      // What is watched everywhere is watched there too.
      if (!wanted.has(viewKey(kind, ""))) wanted.set(viewKey(kind, namespace), { kind, namespace });
    };
    for (const kind of chainKinds(this.#resources)) want(kind, "");
    const rulesOf = ruleBook(this.definitions);
    const stamped = this.owners().flatMap(stampedReferences);
    const owned = this.groups.flatMap(entriesOf);
    for (const { group, kind, namespace } of [...owned, ...this.#others, ...stamped]) {
      const resource = this.#resources.preferred(group, kind);
      if (resource === undefined) continue;
      const own = { apiVersion: apiVersionOf(resource), kind };
      want(own, namespace);
      if (namespace !== "") want(events, namespace);
      if (namespace !== "" && mayRunPods(own)) for (const each of derived) want(each, namespace);
      for (const rule of rulesOf(group, kind)?.readyWhen ?? [])
        if (rule.kind === "exists")
          want({ apiVersion: rule.apiVersion, kind: rule.ownedKind }, namespace);
    }
    for (const [key, view] of this.#views) {
      if (wanted.has(key)) continue;
      this.#views.delete(key);
      view.release();
    }
    for (const [key, { kind, namespace }] of wanted)
      if (!this.#views.has(key))
        this.#views.set(key, this.#use(kind, namespace, this.#listenerOf(kind)));
    this.#byNamespace = Map.groupBy(this.#views.values(), ({ namespace }) => namespace);
  }

  /** What is never kept cannot be sent. */
  #use(kind: ObjectKind, namespace: string, onChange: () => void): KindView {
    const view = this.#cluster.view.use(kind, {
      ...(namespace === "" ? {} : { namespace }),
      depth: "masked",
      onState: onChange,
    });
    view.subscribe(onChange);
    // Somebody else may have read the objects already.
    if (isKnown(view)) queueMicrotask(onChange);
    return view;
  }

  #listenerOf(kind: ObjectKind): () => void {
    if (!isOwnerKind(kind)) return this.#onChange;
    return () => {
      this.#followSoon();
      this.#onChange();
    };
  }
}

/** What a ResourceGroup says that it owns. */
export function entriesOf(group: KubernetesObject): readonly ObjectIdentity[] {
  const spec = group["spec"];
  if (!isJsonObject(spec) || !Array.isArray(spec["resources"])) return [];
  return spec["resources"].filter(isJsonObject).map((entry) => ({
    group: textOf(entry["group"]),
    kind: textOf(entry["kind"]),
    namespace: textOf(entry["namespace"]),
    name: textOf(entry["name"]),
  }));
}

function viewKey({ apiVersion, kind }: ObjectKind, namespace: string): string {
  return `${apiVersion} ${kind} ${namespace}`;
}

/** The groups without a dot belong to Kubernetes; in others any kind may run pods. */
function mayRunPods(kind: ObjectKind): boolean {
  return groupOf(kind.apiVersion).includes(".") || runsPods({ ...kind, metadata: {} });
}

/** Whether all objects have been read, or cannot be. */
function isKnown({ state, problem }: KindView): boolean {
  return state !== "pending" || problem !== undefined;
}

/** Why objects cannot be shown; of a kind that is not served there are none. */
function problemOf({ kind, state, problem, namespace }: KindView): string | undefined {
  if (problem === undefined || state === "unserved") return undefined;
  const where = namespace === "" ? "" : ` in ${namespace}`;
  const why = isApiError(problem, "Forbidden")
    ? "you may not watch them"
    : problem instanceof Error
      ? problem.message
      : "they cannot be read";
  return `${kind.kind} objects${where} are not shown: ${why}`;
}
