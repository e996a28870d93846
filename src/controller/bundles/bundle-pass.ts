import { createHash } from "node:crypto";
import {
  type Bundle,
  bindingOf,
  decodedData,
  bundleLabel,
  bundleManager,
  type BundleObject,
  type BundlePlugin,
  type BundleWorld,
  configOf,
  isOfBundle,
  isOwnReference,
  keyOf,
  objectOf,
  realize,
  type Realized,
  recordOfBundle,
} from "../../bundles/index.ts";
import { OwnedWriter } from "../../apply/index.ts";
import type { Cluster } from "../../cluster/index.ts";
import { DiagnosticError } from "../../diagnostics/index.ts";
import type { JsonObject } from "../../json/index.ts";
import {
  groupOf,
  type KubernetesObject,
  maskTexts,
  type ObjectIdentity,
  secretValues,
  splitApiVersion,
} from "../../objects/index.ts";
import { findOwned } from "../../observe/index.ts";
import { compareWithLive } from "../../plan/index.ts";
import { readinessOf } from "../../readiness/index.ts";
import { diagnoseObject } from "../../schema/index.ts";
import type { ServiceAccount } from "../../blueprints/index.ts";
import type { AccountClusters } from "../account-clusters.ts";
import { Answers } from "../answers.ts";
import { AccountReads } from "../account-reads.ts";
import type { AccountRights } from "../account-rights.ts";
import type { ClusterKnowledge } from "../runtime/cluster-knowledge.ts";
import type { OwnedReadiness } from "../owned-readiness.ts";
import { AwaitedObjects } from "../awaited-objects.ts";
import type { OutsideObjects, OutsideWatches } from "../outside-objects.ts";
import type { KindWatches } from "../runtime/kind-watches.ts";
import type { ReconcilerContext } from "../runtime/reconciler.ts";
import type { ConfigContents, ConfigKind } from "./config-contents.ts";
import { ServerChecks } from "./server-checks.ts";
import { differingPaths, type WriteGuard } from "./write-guard.ts";

/** What all looks at all bundles share. */
export interface BundleServices {
  /** With the rights of the controller: for bundles themselves, and for nothing that they say. */
  readonly cluster: Cluster;
  /** The only namespace that is looked after; all when undefined. */
  readonly namespace: string | undefined;
  readonly knowledge: ClusterKnowledge;
  /** The objects of all bundles. */
  readonly children: KindWatches;
  readonly readiness: OwnedReadiness;
  /** Whoever writes: each bundle as a service account of its namespace, never as the controller. */
  readonly accounts: AccountClusters;
  readonly rights: AccountRights;
  /** Begun by the first bundle that needs to know of Secrets or ConfigMaps. */
  readonly contents: () => Promise<ConfigContents>;
  readonly guard: WriteGuard;
  readonly plugins: PluginSource;
  /** Names that bundles want and others have. */
  readonly outside: OutsideWatches;
  /** Identity keys of objects that were deleted to be created anew. */
  readonly replacing: Set<string>;
}

/** Where plugins come from: loaded first, then at hand. */
export interface PluginSource {
  readonly get: (name: string) => BundlePlugin | undefined;
  readonly load: (names: Iterable<string>) => Promise<unknown>;
}

/** What must be known to realize one bundle, gathered while it is carried out. */
export class BundlePass {
  readonly #services: BundleServices;
  readonly #bundle: Bundle;
  readonly #scopes = new Map<string, boolean | undefined>();
  /** Writes with the rights of the bundle's account, and knows what went wrong and what was done. */
  readonly writer: OwnedWriter;
  /** Objects of others, which the watches do not tell of. */
  readonly #foreign = new Map<string, KubernetesObject>();
  /** Objects that are there although no watch shows them. */
  readonly #unseen = new Map<string, KubernetesObject>();
  /** What Secrets hold whose values are needed, by name. */
  readonly #secrets = new Answers<string, JsonObject | undefined>();
  /** Secrets and ConfigMaps that this bundle looks at, as `Secret namespace/name`. */
  readonly uses = new Set<string>();
  /** What its objects depend on outside of it. */
  readonly #awaited: AwaitedObjects;
  readonly #reads: AccountReads;
  readonly #checks = new ServerChecks(
    (object) => this.#suspicionOf(object),
    (work) => this.as(work),
  );
  #contents: ConfigContents | undefined;

  constructor(
    services: BundleServices,
    bundle: Bundle,
    { signal, events }: Pick<ReconcilerContext, "events" | "signal">,
  ) {
    this.#services = services;
    this.#bundle = bundle;
    this.writer = new OwnedWriter({
      manager: bundleManager,
      propagationPolicy: "Foreground",
      signal,
      objects: {
        find: (object) => this.#watched(asBundleObject(object)),
        written: (resource, desired, answer) => {
          services.children.of(answer)?.remember(answer);
          const isSame = compareObjects(services.knowledge, desired, answer) === "same";
          services.guard.answered(this.#guardKey(resource), desired, answer, isSame);
        },
        leaving: (answer) => {
          services.children.of(answer)?.remember(answer);
        },
        replacing: services.replacing,
      },
      as: (_step, work) => this.as(work),
      isOwn: (found) => isOfBundle(found, bundle),
      // The watches do not tell of it; the next look does, and says whose it is.
      taken: (found) => {
        this.#foreign.set(keyOf(asBundleObject(found)), found);
        return undefined;
      },
      marksOf: (live) => ({
        labels: [bundleLabel],
        isOwnReference: isOwnReference(live, bundle, bundleManager),
      }),
      released: ({ object: { kind, metadata }, message }) => {
        events.record(bundle.object, {
          type: "Normal",
          reason: "Released",
          message: `${kind} ${metadata.name ?? ""} stays and is nobody's now: ${message}`,
        });
      },
      masked: (text) => this.#masked(text),
    });
    const { cluster, knowledge, namespace, rights } = services;
    this.#awaited = new AwaitedObjects({ cluster, rulesOf: knowledge.rulesOf, namespace });
    this.#reads = new AccountReads(bundle.serviceAccount, (object) =>
      rights.mayGet(this.#account, { ...object, namespace: bundle.namespace }),
    );
  }

  /** Does something with the rights of the bundle's account. */
  as<T>(work: (cluster: Cluster) => Promise<T>): Promise<T> {
    return this.#services.accounts.as(this.#account, work);
  }

  get #account(): ServiceAccount {
    const { namespace, serviceAccount } = this.#bundle;
    return { namespace, name: serviceAccount };
  }

  /** When to look again at objects of others that are waited for, or may not be read. */
  get againMs(): number | undefined {
    return this.#awaited.againMs ?? this.#reads.againMs;
  }

  /** The objects of others that stand in the way or are waited for, to be watched. */
  get outsideObjects(): readonly OutsideObjects[] {
    const foreign = [...this.#foreign.values()].map((object): OutsideObjects => {
      const { apiVersion, kind, metadata } = object;
      const { namespace, name } = metadata;
      return {
        apiVersion,
        kind,
        which: `${namespace ?? ""}/${name ?? ""}`,
        concerns: (each) => each.metadata.namespace === namespace && each.metadata.name === name,
        seen: [object],
      };
    });
    return [...foreign, ...this.#awaited.watched];
  }

  /** Begins the watches that this bundle needs. */
  async prepare(): Promise<void> {
    const { children, knowledge, plugins, readiness } = this.#services;
    const plugin = plugins.get;
    await plugins.load(
      this.#bundle.resources.flatMap(({ target }) =>
        target.kind === "plugin" ? [target.plugin] : [],
      ),
    );
    const wanted = this.#bundle.resources.flatMap((each) => objectOf(each, plugin) ?? []);
    const recorded = recordOfBundle(this.#bundle.object);
    const all = [...wanted, ...recorded.objects];
    const kinds = new Map(
      all.map(({ apiVersion, kind }) => [`${apiVersion} ${kind}`, { apiVersion, kind }]),
    );
    /** Kinds of which nothing can be known now, and why. */
    const hidden = new Map<string, DiagnosticError>();
    await Promise.all(
      [...kinds].map(async ([key, kind]) => {
        const isNamespaced = await knowledge.isNamespaced(kind);
        this.#scopes.set(key, isNamespaced);
        if (isNamespaced !== true) return;
        try {
          await children.watch(kind);
          await readiness.watchOwned(kind);
        } catch (error) {
          if (!(error instanceof DiagnosticError)) throw error;
          hidden.set(key, error);
        }
      }),
    );
    const isLeaving = this.#bundle.object.metadata.deletionTimestamp !== undefined;
    const own = new Set(isLeaving ? [] : wanted.map(keyOf));
    for (const object of recorded.objects) {
      const error = hidden.get(`${object.apiVersion} ${object.kind}`);
      // What cannot be seen must not be taken for gone.
      if (error !== undefined && !own.has(keyOf(object))) throw error;
    }
    const leaving = recorded.objects.filter((object) => !own.has(keyOf(object)));
    await Promise.all(leaving.map((object) => this.#confirm(object)));
    for (const resource of this.#bundle.resources) {
      const object = objectOf(resource, plugin);
      if (object === undefined) continue;
      const { apiVersion, kind } = object;
      const key = `${apiVersion} ${kind}`;
      const isServed = this.#scopes.get(key) !== undefined;
      const message = isServed
        ? hidden.get(key)?.message
        : `the cluster does not serve ${kind} of ${apiVersion}`;
      if (message !== undefined)
        this.writer.note(resource.name, { kind: "apply", isRetried: true, message });
    }
    const usesContents =
      recorded.outputs.length > 0 ||
      this.#bundle.resources.some(
        ({ target, references }) =>
          references.some(({ modifier }) => modifier !== undefined) ||
          target.kind === "plugin" ||
          configOf(target.object).length > 0,
      );
    if (usesContents) this.#contents = await this.#services.contents();
  }

  /** Asks for an object by name that leaves and that no watch shows: only then it is gone. */
  async #confirm(object: BundleObject): Promise<void> {
    if (this.#live(object) !== undefined) return;
    const { namespace } = this.#bundle;
    const found = await findOwned(this.#services.cluster, { ...object, namespace });
    if (found !== undefined) this.#unseen.set(keyOf(object), found);
  }

  /** What is to be done now, for the bundle as it was last written. */
  look(object: KubernetesObject): Realized {
    return realize({ ...this.#bundle, object }, this.#world(new Date()));
  }

  /** Reads what the last look lacked, and nothing else; says whether there was anything. */
  async readMore(): Promise<boolean> {
    const found = [
      await this.#secrets.read((name) => this.#readSecret(name)),
      await this.#awaited.read((reference) => this.as((cluster) => cluster.find(reference))),
      await this.#reads.read(),
      await this.#checks.read(),
    ];
    return found.includes(true);
  }

  /** Reads the pods of workloads that have not been ready for long; says when to look at them again. */
  lookAtWorkloads(): ReturnType<OwnedReadiness["look"]> {
    const { plugins, readiness } = this.#services;
    const live = this.#bundle.resources.flatMap((each) => {
      const object = objectOf(each, plugins.get);
      return (object === undefined ? undefined : this.#live(object)) ?? [];
    });
    return readiness.look(live, {
      list: (kind, options) => this.as((cluster) => cluster.list(kind, options)),
    });
  }

  #world(now: Date): BundleWorld {
    const { guard, knowledge, plugins, readiness } = this.#services;
    const { rulesOf, childrenOf } = readiness;
    const { namespace } = this.#bundle;
    const use = (kind: ConfigKind, name: string): void => {
      this.uses.add(`${kind} ${namespace}/${name}`);
    };
    return {
      now: timeOf(now),
      unreadable: this.#reads.unreadable,
      plugin: plugins.get,
      live: (each) => this.#live(each),
      outside: this.#awaited.stateOf,
      isNamespaced: ({ apiVersion, kind }) => this.#scopes.get(`${apiVersion} ${kind}`) !== false,
      readinessOf: (each) => readinessOf(each, { now: now.getTime(), rulesOf, childrenOf }),
      compare: (wanted, live) => compareObjects(knowledge, wanted, live),
      problemOf: this.#checks.problemOf,
      exampleProblem: this.#checks.exampleProblem,
      digestOf: (kind, name) => {
        use(kind, name);
        return this.#contents?.digestOf(kind, namespace, name);
      },
      hash: (text) => createHash("sha256").update(text).digest("hex").slice(0, 16),
      finalizersOf: ({ kind, name }) => {
        use(kind, name);
        const found = this.#contents?.get(kind, namespace, name);
        return found === undefined ? undefined : (found.metadata.finalizers ?? []);
      },
      output: (name) => {
        for (const kind of ["Secret", "ConfigMap"] as const) {
          use(kind, name);
          if (this.#contents?.get(kind, namespace, name) !== undefined) return { kind, name };
        }
        return undefined;
      },
      secretData: (name) => {
        use("Secret", name);
        const isThere = this.#contents?.get("Secret", namespace, name) !== undefined;
        return isThere ? this.#secrets.get(name, name, undefined) : undefined;
      },
      bindingOf: (claim) =>
        bindingOf(claim, { rulesOf, childrenOf: (owner) => readiness.ownedBy(owner) }),
      trouble: (of) => this.writer.troubles.get(of),
      unrest: (resource, wanted) => guard.troubleOf(this.#guardKey(resource), wanted),
    };
  }

  #live(object: BundleObject): KubernetesObject | undefined {
    return this.writer.present(
      this.#foreign.get(keyOf(object)) ?? this.#watched(object) ?? this.#unseen.get(keyOf(object)),
    );
  }

  /** The object as the watch of its kind knows it. */
  #watched(object: BundleObject): KubernetesObject | undefined {
    return this.#services.children.of(object)?.get(identityIn(object, this.#bundle.namespace));
  }

  /** The name under which the guard knows writes of a resource. */
  #guardKey(resource: string): string {
    return `${this.#bundle.object.metadata.uid ?? ""}/${resource}`;
  }

  /** Without the values of Secrets that this bundle has read, or has among its own objects. */
  #masked(text: string): string {
    const own = this.#bundle.resources.map((resource) => {
      const object = objectOf(resource, this.#services.plugins.get);
      return object === undefined ? undefined : this.#live(object);
    });
    const read = this.#secrets.values.flatMap((data) => data ?? []);
    return maskTexts(text, [...read, ...secretValues(own)]);
  }

  /** What the schema of a kind holds against an object. */
  #suspicionOf(object: KubernetesObject): string | undefined {
    const schema = this.#services.knowledge.schemaOf(object.apiVersion, object.kind);
    if (schema === undefined) return undefined;
    const { group, version } = splitApiVersion(object.apiVersion);
    const subject = `${object.kind} ${object.metadata.name ?? ""}`;
    const { diagnostics } = diagnoseObject(
      { group, version, kind: object.kind },
      schema,
      object as unknown as JsonObject,
      subject,
    );
    const [first] = diagnostics.filter(({ severity }) => severity === "error");
    return first === undefined ? undefined : this.#masked(first.summary);
  }

  async #readSecret(name: string): Promise<JsonObject | undefined> {
    const { namespace } = this.#bundle;
    return decodedData(
      await this.as((cluster) =>
        cluster.find({ apiVersion: "v1", kind: "Secret", namespace, name }),
      ),
    );
  }
}

/** Whether an apply would change anything; without a schema, whether all that is asked for is there. */
function compareObjects(
  knowledge: ClusterKnowledge,
  wanted: KubernetesObject,
  live: KubernetesObject,
): "same" | "different" {
  const schema = knowledge.schemaOf(wanted.apiVersion, wanted.kind);
  const comparison = compareWithLive(wanted, live, schema, bundleManager);
  if (comparison !== "unsure") return comparison;
  return differingPaths(wanted, live).length === 0 ? "same" : "different";
}

function identityIn({ apiVersion, kind, name }: BundleObject, namespace: string): ObjectIdentity {
  return { group: groupOf(apiVersion), kind, namespace, name };
}

/** A time as Kubernetes writes it: to the second. */
export function timeOf(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

function asBundleObject({ apiVersion, kind, metadata }: KubernetesObject): BundleObject {
  return { apiVersion, kind, name: metadata.name ?? "" };
}
