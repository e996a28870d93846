import type { Cluster } from "../../cluster/index.ts";
import { ownedKinds } from "../../bundles/index.ts";
import { byOwner } from "../../cluster/index.ts";
import { DiagnosticError } from "../../diagnostics/index.ts";
import { groupOf, type KubernetesObject } from "../../objects/index.ts";
import { type ReadinessContext, readinessOf } from "../../readiness/index.ts";
import { WorkloadChildren } from "../workload-children.ts";
import { ClusterKnowledge } from "../runtime/cluster-knowledge.ts";
import { KindWatches } from "../runtime/kind-watches.ts";
import type { ReconcilerContext } from "../runtime/reconciler.ts";

/** What is known of objects to judge them by. */
export interface Judging extends Pick<ReadinessContext, "childrenOf" | "rulesOf"> {
  /** When to look again at workloads that are not ready. */
  readonly againMs: number | undefined;
}

/** What definitions say of stamped objects of their kinds, and the objects that these wait for. */
export class StampedReadiness {
  readonly #knowledge: ClusterKnowledge;
  readonly #owned: KindWatches;
  readonly #workloads = new WorkloadChildren();

  private constructor(knowledge: ClusterKnowledge, owned: KindWatches) {
    this.#knowledge = knowledge;
    this.#owned = owned;
  }

  static async open(
    { cluster, informers }: ReconcilerContext,
    namespace: string | undefined,
    /** Told of the uids of what an object that changed belongs to. */
    onOwned: (ownerUid: string) => void,
    onDefinition: () => void,
  ): Promise<StampedReadiness> {
    const knowledge = await ClusterKnowledge.open(cluster, informers);
    knowledge.onChange(onDefinition);
    const owned = new KindWatches(informers, {
      namespace,
      depth: "metadata",
      onChange: ({ object }) => {
        for (const uid of byOwner(object)) onOwned(uid);
      },
    });
    return new StampedReadiness(knowledge, owned);
  }

  /**
   * What is needed to judge these objects; begins to watch what they wait for, and reads the pods of
   * workloads that have not been ready for a while, as whoever may read them for their owner.
   */
  async of(objects: readonly KubernetesObject[], reader: Pick<Cluster, "list">): Promise<Judging> {
    const { rulesOf } = this.#knowledge;
    const kinds = objects.flatMap(({ apiVersion, kind }) =>
      ownedKinds(rulesOf(groupOf(apiVersion), kind)),
    );
    await Promise.all(
      kinds.map(async (kind) => {
        try {
          await this.#owned.watch(kind);
        } catch (error) {
          // What may not be watched, or is not served, is not there as far as anybody knows.
          if (!(error instanceof DiagnosticError)) throw error;
        }
      }),
    );
    return {
      rulesOf,
      childrenOf: (owner) => [
        ...this.#owned
          .indexed(byOwner, owner.metadata.uid ?? "")
          .filter(({ metadata }) => metadata.namespace === owner.metadata.namespace),
        ...this.#workloads.of(owner),
      ],
      againMs: await this.#lookAtWorkloads(objects, reader),
    };
  }

  async #lookAtWorkloads(
    objects: readonly KubernetesObject[],
    reader: Pick<Cluster, "list">,
  ): Promise<number | undefined> {
    const now = Date.now();
    const { rulesOf } = this.#knowledge;
    const isReady = (object: KubernetesObject): boolean =>
      readinessOf(object, { now, rulesOf }).status === "Current";
    const notReady = objects.filter((object) => !isReady(object));
    this.#workloads.forget(objects.filter(isReady));
    const { afterMs } = await this.#workloads.look(reader, notReady, now);
    return afterMs;
  }
}
