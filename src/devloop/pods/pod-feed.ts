import type { Cluster, KindView } from "../../cluster/index.ts";
import {
  groupOf,
  identityKey,
  identityOf,
  type KubernetesObject,
  type ObjectIdentity,
} from "../../objects/index.ts";

/** Where the pods of a component are found. */
export interface PodOwner {
  readonly component: string;
  readonly objects: readonly ObjectIdentity[];
  readonly selectors: readonly Readonly<Record<string, string>>[];
  readonly onlySelectors: boolean;
}

export interface PodFeedOptions {
  readonly cluster: Cluster;
  /** A pod of a component has come, changed or gone. */
  readonly onPod: (component: string, pod: KubernetesObject, isGone: boolean) => void;
  readonly onTrouble: (error: unknown) => void;
}

/** Pods, and what is between them and a workload. */
const kinds = [
  { apiVersion: "v1", kind: "Pod" },
  { apiVersion: "apps/v1", kind: "ReplicaSet" },
  { apiVersion: "batch/v1", kind: "Job" },
] as const;

/** Knows the pods of all components, from watches of the namespaces that they are in. */
export class PodFeed {
  readonly #options: PodFeedOptions;
  readonly #namespaces = new Map<string, readonly KindView[]>();
  #byObject = new Map<string, string>();
  #owners: readonly PodOwner[] = [];

  constructor(options: PodFeedOptions) {
    this.#options = options;
  }

  /** From now on these components; pods that are there already are told of. */
  follow(owners: readonly PodOwner[]): void {
    this.#owners = owners;
    this.#byObject = new Map(
      owners.flatMap(({ component, objects, onlySelectors }) =>
        onlySelectors ? [] : objects.map((object) => [identityKey(object), component]),
      ),
    );
    const wanted = new Set(
      owners.flatMap(({ objects }) => objects.map(({ namespace }) => namespace)),
    );
    for (const namespace of wanted)
      if (namespace !== "" && !this.#namespaces.has(namespace)) this.#watch(namespace);
    for (const pod of this.#pods()) this.#tell(pod, false);
  }

  /** The pods of a component, the newest first. */
  podsOf(component: string): readonly KubernetesObject[] {
    return [...this.#pods()]
      .filter((pod) => this.#componentOf(pod) === component)
      .toSorted((left, right) => createdAt(right).localeCompare(createdAt(left)));
  }

  /** All pods of a namespace that have labels. */
  selected(
    namespace: string,
    selector: Readonly<Record<string, string>>,
  ): readonly KubernetesObject[] {
    return [...(this.#namespaces.get(namespace)?.[0]?.objects() ?? [])].filter((pod) =>
      hasLabels(pod, selector),
    );
  }

  /** Whether a pod is still there. */
  has(uid: string): boolean {
    for (const pod of this.#pods()) if (pod.metadata.uid === uid) return true;
    return false;
  }

  close(): void {
    for (const view of [...this.#namespaces.values()].flat()) view.release();
    this.#namespaces.clear();
  }

  #watch(namespace: string): void {
    const { cluster, onTrouble } = this.#options;
    const views = kinds.map((kind) =>
      cluster.view.use(kind, { namespace, depth: "masked", onTrouble }),
    );
    this.#namespaces.set(namespace, views);
    const [pods, ...others] = views;
    pods?.subscribe(({ kind, object }) => {
      this.#tell(object, kind === "deleted");
    });
    // A pod may be known before what it belongs to.
    for (const view of others)
      view.subscribe(({ kind }) => {
        if (kind === "added") for (const pod of pods?.objects() ?? []) this.#tell(pod, false);
      });
  }

  #tell(pod: KubernetesObject, isGone: boolean): void {
    const component = this.#componentOf(pod);
    if (component !== undefined) this.#options.onPod(component, pod, isGone);
  }

  #componentOf(pod: KubernetesObject): string | undefined {
    for (const { component, selectors, objects } of this.#owners) {
      const isSelected = selectors.some((selector) => hasLabels(pod, selector));
      if (isSelected && objects.some(({ namespace }) => namespace === pod.metadata.namespace))
        return component;
    }
    return this.#ownerOf(pod, mostLevels);
  }

  #ownerOf(object: KubernetesObject, levels: number): string | undefined {
    const found = this.#byObject.get(identityKey(identityOf(object)));
    if (found !== undefined || levels === 0) return found;
    const namespace = object.metadata.namespace ?? "";
    for (const { apiVersion, kind, name } of object.metadata.ownerReferences ?? []) {
      const identity = { group: groupOf(apiVersion), kind, namespace, name };
      const direct = this.#byObject.get(identityKey(identity));
      if (direct !== undefined) return direct;
      for (const view of this.#namespaces.get(namespace) ?? []) {
        const owner = view.get(identity);
        if (owner !== undefined) return this.#ownerOf(owner, levels - 1);
      }
    }
    return undefined;
  }

  *#pods(): Iterable<KubernetesObject> {
    for (const [pods] of this.#namespaces.values()) if (pods !== undefined) yield* pods.objects();
  }
}

/** A pod, a Job, a CronJob: deeper trees are not of Kubernetes itself. */
const mostLevels = 3;

function hasLabels(
  { metadata }: KubernetesObject,
  selector: Readonly<Record<string, string>>,
): boolean {
  const wanted = Object.entries(selector);
  return wanted.length > 0 && wanted.every(([key, value]) => metadata.labels?.[key] === value);
}

function createdAt({ metadata }: KubernetesObject): string {
  return metadata.creationTimestamp ?? "";
}
