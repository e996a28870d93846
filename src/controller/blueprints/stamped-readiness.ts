import { ownedKinds } from "../../bundles/index.ts";
import { DiagnosticError } from "../../diagnostics/index.ts";
import { groupOf, type KubernetesObject } from "../../objects/index.ts";
import type { ReadinessContext } from "../../readiness/index.ts";
import { ClusterKnowledge } from "../runtime/cluster-knowledge.ts";
import { byOwner, KindWatches } from "../runtime/kind-watches.ts";
import type { ReconcilerContext } from "../runtime/reconciler.ts";

/** What definitions say of stamped objects of their kinds, and the objects that these wait for. */
export class StampedReadiness {
  readonly #knowledge: ClusterKnowledge;
  readonly #owned: KindWatches;

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
      purpose: "owned objects",
      namespace,
      onChange: ({ object }) => {
        for (const uid of byOwner(object)) onOwned(uid);
      },
    });
    return new StampedReadiness(knowledge, owned);
  }

  /** What is needed to judge these objects; begins to watch what they wait for. */
  async of(
    objects: readonly KubernetesObject[],
  ): Promise<Pick<ReadinessContext, "childrenOf" | "rulesOf">> {
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
      childrenOf: ({ metadata }) => this.#owned.indexed(byOwner, metadata.uid ?? ""),
    };
  }
}
