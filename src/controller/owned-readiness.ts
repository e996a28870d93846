import { ownedKinds } from "../bundles/index.ts";
import { byOwner, type Cluster, type ClusterView, type ObjectKind } from "../cluster/index.ts";
import { groupOf, type KubernetesObject } from "../objects/index.ts";
import { readinessOf, type RulesLookup } from "../readiness/index.ts";
import type { ClusterKnowledge } from "./runtime/cluster-knowledge.ts";
import { KindWatches } from "./runtime/kind-watches.ts";
import { WorkloadChildren } from "./workload-children.ts";

export interface OwnedReadinessOptions {
  readonly knowledge: ClusterKnowledge;
  readonly informers: ClusterView;
  /** The only namespace that is watched; all when undefined. */
  readonly namespace: string | undefined;
  /** How much must be known of objects that belong to others. */
  readonly depth: "masked" | "metadata";
  /** Told of the uids of what an object that changed belongs to. */
  readonly onOwned: (ownerUid: string) => void;
}

/** What is needed to judge objects of owners: the rules of their kinds, what belongs to them, the pods below. */
export class OwnedReadiness {
  readonly rulesOf: RulesLookup;
  readonly #knowledge: ClusterKnowledge;
  readonly #owned: KindWatches;
  readonly #workloads = new WorkloadChildren();

  constructor({ knowledge, informers, namespace, depth, onOwned }: OwnedReadinessOptions) {
    this.#knowledge = knowledge;
    this.rulesOf = knowledge.rulesOf;
    this.#owned = new KindWatches(informers, {
      namespace,
      depth,
      onChange: ({ object }) => {
        for (const uid of byOwner(object)) onOwned(uid);
      },
    });
  }

  /** Begins to watch what instances of a kind wait for. */
  async watchOwned({ apiVersion, kind }: ObjectKind): Promise<void> {
    await Promise.all(
      ownedKinds(this.rulesOf(groupOf(apiVersion), kind)).map(async (each) => {
        if ((await this.#knowledge.isNamespaced(each)) === true) await this.#owned.watch(each);
      }),
    );
  }

  /** Owners are of the same namespace: a uid that somebody else wrote down elsewhere means nothing. */
  ownedBy({ metadata }: KubernetesObject): readonly KubernetesObject[] {
    return this.#owned
      .indexed(byOwner, metadata.uid ?? "")
      .filter((each) => each.metadata.namespace === metadata.namespace);
  }

  readonly childrenOf = (owner: KubernetesObject): readonly KubernetesObject[] => [
    ...this.ownedBy(owner),
    ...this.#workloads.of(owner),
  ];

  /**
   * Reads the pods of workloads that have not been ready for long, as whoever may read them for their owner;
   * says when to look at them again.
   */
  look(
    objects: readonly KubernetesObject[],
    reader: Pick<Cluster, "list">,
  ): ReturnType<WorkloadChildren["look"]> {
    const now = Date.now();
    const isReady = (object: KubernetesObject): boolean =>
      readinessOf(object, { now, rulesOf: this.rulesOf }).status === "Current";
    this.#workloads.forget(objects.filter(isReady));
    return this.#workloads.look(
      reader,
      objects.filter((object) => !isReady(object)),
      now,
    );
  }
}
