import { type BlueprintGroup, blueprintGroups, blueprintVersion } from "../../blueprints/index.ts";
import type { ReconcilerContext } from "../runtime/reconciler.ts";
import { AccountClusters } from "./account-clusters.ts";
import { BlueprintWatches } from "./blueprint-watches.ts";
import type { PerformOptions } from "./perform.ts";
import { Renderings } from "./renderings.ts";
import { type RenderYtt, yttRunner } from "./run-ytt.ts";

export interface BlueprintOptions {
  /** Only owners in this namespace; in all unless given. */
  readonly namespace?: string | undefined;
  readonly renderYtt?: RenderYtt | undefined;
}

/** What the reconcilers of supply chains share. */
export class BlueprintServices {
  /** The namespace whose owners are looked after; all when undefined. */
  readonly namespace: string | undefined;
  readonly #renderYtt: RenderYtt;
  readonly #renderings = new Renderings();
  #accounts: AccountClusters | undefined;

  constructor(options: BlueprintOptions = {}) {
    this.namespace = options.namespace;
    this.#renderYtt = options.renderYtt ?? yttRunner();
  }

  /** The watches of the groups that the cluster knows. */
  async watches({
    cluster,
    informers,
    log,
  }: ReconcilerContext): Promise<Map<BlueprintGroup, BlueprintWatches>> {
    const index = await cluster.resources();
    const served = blueprintGroups.filter((group) =>
      index.find({ apiVersion: `${group}/${blueprintVersion}`, kind: "Workload" }),
    );
    for (const group of blueprintGroups)
      if (!served.includes(group)) log.info({ group }, "the cluster does not know this group");
    return new Map(
      served.map((group) => [group, new BlueprintWatches(group, informers, this.namespace)]),
    );
  }

  performing({
    cluster,
    signal,
  }: ReconcilerContext): Omit<PerformOptions, "readiness" | "stamped"> {
    return {
      accounts: this.accounts({ cluster, signal }),
      renderYtt: this.#renderYtt,
      renderings: this.#renderings,
      resources: () => cluster.resources(),
      signal,
      now: () => this.now,
    };
  }

  get now(): string {
    return timestamp(Date.now());
  }

  accounts({ cluster, signal }: Pick<ReconcilerContext, "cluster" | "signal">): AccountClusters {
    if (this.#accounts !== undefined) return this.#accounts;
    const accounts = new AccountClusters(cluster);
    this.#accounts = accounts;
    signal.addEventListener(
      "abort",
      () => {
        this.#accounts = undefined;
        void accounts.close();
      },
      { once: true },
    );
    return accounts;
  }
}

/** Times in statuses have seconds. */
function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
