import {
  apiVersionOf,
  type Cluster,
  type ObjectKind,
  type ResourceIndex,
} from "../cluster/index.ts";
import { groupApiVersion, groupKind } from "../inventory/index.ts";
import {
  identityKey,
  isJsonObject,
  type KubernetesObject,
  type ObjectIdentity,
} from "../objects/index.ts";
import { ruleBook } from "../readiness/index.ts";
import { chainKinds, isOwnerKind, stampedReferences } from "./chain-kinds.ts";
import { KindFeed } from "./kind-feed.ts";
import { textOf } from "./text-of.ts";

const groupResource: ObjectKind = { apiVersion: groupApiVersion, kind: groupKind };
const definitionResource: ObjectKind = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
};
const events: ObjectKind = { apiVersion: "v1", kind: "Event" };
/** What controllers make of workloads, and what tells of all of it. */
const derived: readonly ObjectKind[] = [
  { apiVersion: "v1", kind: "Pod" },
  { apiVersion: "apps/v1", kind: "ReplicaSet" },
  { apiVersion: "batch/v1", kind: "Job" },
  events,
];

/** Every inventory of a cluster and what it owns, and what somebody names beside it, watched only where there is any of it. */
export class ClusterWatch {
  readonly #cluster: Cluster;
  readonly #onChange: () => void;
  readonly #groups: KindFeed;
  readonly #definitions: KindFeed;
  readonly #feeds = new Map<string, KindFeed>();
  readonly #closing = new Set<Promise<void>>();
  #resources: ResourceIndex | undefined;
  /** What is watched though no inventory owns it. */
  #others: readonly ObjectIdentity[] = [];
  #isClosed = false;
  #isFollowing = false;

  constructor(cluster: Cluster, onChange: () => void) {
    this.#cluster = cluster;
    this.#onChange = onChange;
    this.#groups = new KindFeed(cluster, groupResource, "", () => {
      this.#follow();
      onChange();
    });
    this.#definitions = new KindFeed(cluster, definitionResource, "", () => {
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
    const feeds = [this.#groups, this.#definitions, ...this.#feeds.values()];
    return this.#resources !== undefined && feeds.every(({ isKnown }) => isKnown);
  }

  get problems(): readonly string[] {
    const feeds = [this.#groups, ...this.#feeds.values()];
    return feeds.flatMap(({ problem }) => problem ?? []);
  }

  /** The object, "absent" when it is certainly not there, undefined as long as nobody knows. */
  look(identity: ObjectIdentity): KubernetesObject | "absent" | undefined {
    const resource = this.#resources?.preferred(identity.group, identity.kind);
    if (resource === undefined) return this.#resources === undefined ? undefined : "absent";
    const kind = { apiVersion: apiVersionOf(resource), kind: resource.kind };
    const feed =
      this.#feeds.get(feedKey(kind, "")) ?? this.#feeds.get(feedKey(kind, identity.namespace));
    if (feed?.problem !== undefined) return undefined;
    return feed?.get(identity) ?? (feed?.isKnown === true ? "absent" : undefined);
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
    return [...(this.#feeds.get(feedKey(kind, ""))?.objects() ?? [])];
  }

  /** Workloads and Deliverables, whoever looks after them. */
  owners(): readonly KubernetesObject[] {
    return [...this.#feeds.values()]
      .filter(({ kind }) => isOwnerKind(kind))
      .flatMap((feed) => [...feed.objects()]);
  }

  /** What is not an Event, by the uid of each of its owners. */
  children(): ReadonlyMap<string, readonly KubernetesObject[]> {
    const children = new Map<string, KubernetesObject[]>();
    for (const feed of this.#feeds.values()) {
      if (feed.kind.kind === events.kind) continue;
      for (const object of feed.objects())
        for (const { uid } of object.metadata.ownerReferences ?? []) {
          const known = children.get(uid);
          if (known === undefined) children.set(uid, [object]);
          else known.push(object);
        }
    }
    return children;
  }

  /** Events by the uid of what they are about. */
  events(): ReadonlyMap<string, readonly KubernetesObject[]> {
    const found = [...this.#feeds.values()]
      .filter(({ kind }) => kind.kind === events.kind)
      .flatMap((feed) => [...feed.objects()]);
    return Map.groupBy(found, (event) => {
      const about = event["involvedObject"];
      return isJsonObject(about) && typeof about["uid"] === "string" ? about["uid"] : "";
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const feeds = [this.#groups, this.#definitions, ...this.#feeds.values()];
    await Promise.all([...feeds.map((feed) => feed.close()), ...this.#closing]);
  }

  /** Learns what the cluster serves; again after each change of a definition. */
  async #discover(): Promise<void> {
    try {
      this.#resources = await this.#cluster.refreshResources();
    } catch {
      // The feeds try again and tell what is wrong; the next definition brings us here again.
      return;
    }
    if (this.#isClosed) return;
    this.#groups.wake();
    for (const feed of this.#feeds.values()) feed.wake();
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
      if (!wanted.has(feedKey(kind, ""))) wanted.set(feedKey(kind, namespace), { kind, namespace });
    };
    for (const kind of chainKinds(this.#resources)) want(kind, "");
    const rulesOf = ruleBook(this.definitions);
    const stamped = this.owners().flatMap(stampedReferences);
    const owned = this.groups.flatMap(entriesOf);
    for (const { group, kind, namespace } of [...owned, ...this.#others, ...stamped]) {
      const resource = this.#resources.preferred(group, kind);
      if (resource === undefined) continue;
      want({ apiVersion: apiVersionOf(resource), kind }, namespace);
      if (namespace !== "") for (const each of derived) want(each, namespace);
      for (const rule of rulesOf(group, kind)?.readyWhen ?? [])
        if (rule.kind === "exists")
          want({ apiVersion: rule.apiVersion, kind: rule.ownedKind }, namespace);
    }
    for (const [key, feed] of this.#feeds) {
      if (wanted.has(key)) continue;
      this.#feeds.delete(key);
      const closing = feed.close().finally(() => this.#closing.delete(closing));
      this.#closing.add(closing);
    }
    for (const [key, { kind, namespace }] of wanted)
      if (!this.#feeds.has(key))
        this.#feeds.set(key, new KindFeed(this.#cluster, kind, namespace, this.#listenerOf(kind)));
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

function feedKey({ apiVersion, kind }: ObjectKind, namespace: string): string {
  return `${apiVersion} ${kind} ${namespace}`;
}
