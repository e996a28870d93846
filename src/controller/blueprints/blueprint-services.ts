import {
  type BlueprintGroup,
  blueprintGroups,
  blueprintVersion,
  type ServiceAccount,
} from "../../blueprints/index.ts";
import type { KindView } from "../../cluster/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import type { RulesLookup } from "../../readiness/index.ts";
import { AwaitedObjects } from "../awaited-objects.ts";
import { OwnerRecord } from "../owner-record.ts";
import { OutsideWatches } from "../outside-objects.ts";
import type { ReconcilerContext } from "../runtime/reconciler.ts";
import { AccountClusters } from "../account-clusters.ts";
import { AccountReads } from "../account-reads.ts";
import { AccountRights } from "../account-rights.ts";
import { BlueprintWatches } from "./blueprint-watches.ts";
import type { PerformOptions } from "./perform.ts";
import { Renderings } from "./renderings.ts";
import { type RenderYtt, yttRunner } from "./run-ytt.ts";

/** Keeps an owner until what must not go with it has been released. */
const ownerFinalizer = "keelson.dev/stamped-objects";
/** The field manager of statuses. */
export const blueprintManager = "keelson-blueprints";

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
  #rights: AccountRights | undefined;

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
  }: ReconcilerContext): Omit<
    PerformOptions,
    "account" | "awaited" | "blueprints" | "readiness" | "stamped"
  > {
    return {
      accounts: this.accounts({ cluster, signal }),
      renderYtt: this.#renderYtt,
      renderings: this.#renderings,
      resources: () => cluster.resources(),
      signal,
      now: () => this.now,
    };
  }

  /** What objects of one owner depend on outside of it, for one look. */
  awaited({ cluster }: ReconcilerContext, rulesOf: RulesLookup | undefined): AwaitedObjects {
    return new AwaitedObjects({ cluster, rulesOf, namespace: this.namespace });
  }

  /** What the account of one owner may read, for one look. */
  reads(context: ReconcilerContext, account: ServiceAccount, namespace: string): AccountReads {
    this.#rights ??= new AccountRights(this.accounts(context));
    const rights = this.#rights;
    return new AccountReads(account.name, (object) =>
      rights.mayGet(account, { ...object, namespace }),
    );
  }

  /** The watches of what owners wait for or select. */
  outside({ informers, queue }: ReconcilerContext): OutsideWatches {
    return new OutsideWatches(informers, this.namespace, (key) => {
      queue.forgive(key);
      queue.add(key);
    });
  }

  /** An owner, of which we write the status. */
  record(object: KubernetesObject, informer: KindView, context: ReconcilerContext): OwnerRecord {
    const { cluster, signal } = context;
    const now = (): string => this.now;
    return new OwnerRecord(object, {
      cluster,
      informer,
      signal,
      now,
      manager: blueprintManager,
      finalizer: ownerFinalizer,
    });
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
        this.#rights = undefined;
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
