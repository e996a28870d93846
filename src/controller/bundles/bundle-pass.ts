import { createHash } from "node:crypto";
import {
  type Bundle,
  bindingOf,
  decodedData,
  ownedKinds,
  type BundleObject,
  type BundlePlugin,
  type BundleWorld,
  configOf,
  keyOf,
  objectOf,
  realize,
  type Realized,
  recordOfBundle,
  type WriteTrouble,
} from "../../bundles/index.ts";
import type { Cluster, ObjectKind } from "../../cluster/index.ts";
import { DiagnosticError } from "../../diagnostics/index.ts";
import {
  groupOf,
  type JsonObject,
  type KubernetesObject,
  type ObjectIdentity,
  splitApiVersion,
} from "../../objects/index.ts";
import { compareWithLive } from "../../plan/index.ts";
import { readinessOf } from "../../readiness/index.ts";
import { diagnoseObject } from "../../schema/index.ts";
import type { ClusterKnowledge } from "../runtime/cluster-knowledge.ts";
import { byOwner, type KindWatches } from "../runtime/kind-watches.ts";
import type { ConfigContents, ConfigKind } from "./config-contents.ts";
import type { WorkloadChildren } from "./workload-children.ts";
import { differingPaths, type WriteGuard } from "./write-guard.ts";

export const bundleManager = "keelson-bundles";

/** What all looks at all bundles share. */
export interface BundleServices {
  readonly cluster: Cluster;
  readonly knowledge: ClusterKnowledge;
  /** The objects of all bundles, and what belongs to them. */
  readonly children: KindWatches;
  readonly owned: KindWatches;
  /** Begun by the first bundle that needs to know of Secrets or ConfigMaps. */
  readonly contents: () => Promise<ConfigContents>;
  readonly guard: WriteGuard;
  readonly workloads: WorkloadChildren;
  readonly plugins: PluginSource;
}

/** Where plugins come from: loaded first, then at hand. */
export interface PluginSource {
  readonly get: (name: string) => BundlePlugin | undefined;
  readonly load: (names: Iterable<string>) => Promise<unknown>;
}

/**
 * One look at one bundle: gathers what `realize` must know, and carries it through the steps that it
 * asks for until nothing is left to do.
 */
export class BundlePass {
  readonly #services: BundleServices;
  readonly #bundle: Bundle;
  readonly #scopes = new Map<string, boolean | undefined>();
  readonly #troubles = new Map<string, WriteTrouble>();
  /** Objects of others, which the watches do not tell of. */
  readonly #foreign = new Map<string, KubernetesObject>();
  readonly #secrets = new Map<string, JsonObject | undefined>();
  readonly #wantedSecrets = new Set<string>();
  /** Secrets and ConfigMaps that this bundle looks at, as `Secret namespace/name`. */
  readonly uses = new Set<string>();
  #contents: ConfigContents | undefined;

  constructor(services: BundleServices, bundle: Bundle) {
    this.#services = services;
    this.#bundle = bundle;
  }

  get troubles(): readonly WriteTrouble[] {
    return [...this.#troubles.values()];
  }

  /** Takes note of an object that the watches do not tell of, because it belongs to somebody else. */
  foreign(object: KubernetesObject): void {
    this.#foreign.set(keyOf(asBundleObject(object)), object);
  }

  trouble(resource: string, trouble: WriteTrouble): void {
    this.#troubles.set(resource, trouble);
  }

  /** Begins the watches that this bundle needs. */
  async prepare(): Promise<void> {
    const { children, knowledge, plugins } = this.#services;
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
          await this.#watchOwned(kind);
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
    for (const resource of this.#bundle.resources) {
      const object = objectOf(resource, plugin);
      if (object === undefined) continue;
      const { apiVersion, kind } = object;
      const key = `${apiVersion} ${kind}`;
      const isServed = this.#scopes.get(key) !== undefined;
      const message = isServed
        ? hidden.get(key)?.message
        : `the cluster does not serve ${kind} of ${apiVersion}`;
      if (message !== undefined) this.trouble(resource.name, { isRetried: true, message });
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

  /** Begins to watch what instances of a kind wait for. */
  async #watchOwned({ apiVersion, kind }: ObjectKind): Promise<void> {
    const { knowledge, owned } = this.#services;
    await Promise.all(
      ownedKinds(knowledge.rulesOf(groupOf(apiVersion), kind)).map(async (each) => {
        if ((await knowledge.isNamespaced(each)) === true) await owned.watch(each);
      }),
    );
  }

  /** What is to be done now; reads Secrets whose values are needed, and nothing else. */
  async realize(bundle: Bundle, now: Date): Promise<Realized> {
    for (;;) {
      this.#wantedSecrets.clear();
      const realized = realize(bundle, this.#world(now));
      if (this.#wantedSecrets.size === 0) return realized;
      await Promise.all([...this.#wantedSecrets].map((name) => this.#readSecret(name)));
    }
  }

  /** Reads the pods of workloads that have not been ready for long; says when to look at them again. */
  async lookAtWorkloads(now: Date): Promise<{
    readonly hasRead: boolean;
    readonly afterMs: number | undefined;
  }> {
    const { cluster, knowledge, plugins, workloads } = this.#services;
    const live = this.#bundle.resources.flatMap((each) => {
      const object = objectOf(each, plugins.get);
      return (object === undefined ? undefined : this.#live(object)) ?? [];
    });
    const isReady = (object: KubernetesObject): boolean =>
      readinessOf(object, { now: now.getTime(), rulesOf: knowledge.rulesOf }).status === "Current";
    workloads.forget(live.filter(isReady));
    return workloads.look(
      cluster,
      live.filter((object) => !isReady(object)),
      now.getTime(),
    );
  }

  #world(now: Date): BundleWorld {
    const { guard, knowledge, owned, plugins, workloads } = this.#services;
    const { namespace, object } = this.#bundle;
    const use = (kind: ConfigKind, name: string): void => {
      this.uses.add(`${kind} ${namespace}/${name}`);
    };
    return {
      now: timeOf(now),
      plugin: plugins.get,
      live: (each) => this.#live(each),
      isNamespaced: ({ apiVersion, kind }) => this.#scopes.get(`${apiVersion} ${kind}`) !== false,
      readinessOf: (each) =>
        readinessOf(each, {
          now: now.getTime(),
          rulesOf: knowledge.rulesOf,
          childrenOf: (owner) => [...ownedBy(owner, owned), ...workloads.of(owner)],
        }),
      compare: (wanted, live) => compareObjects(knowledge, wanted, live),
      problemsOf: (each) => this.#problemsOf(each),
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
        if (this.#secrets.has(name)) return this.#secrets.get(name);
        if (this.#contents?.get("Secret", namespace, name) !== undefined)
          this.#wantedSecrets.add(name);
        return undefined;
      },
      bindingOf: (claim) =>
        bindingOf(claim, {
          rulesOf: knowledge.rulesOf,
          childrenOf: (owner) => ownedBy(owner, owned),
        }),
      trouble: (of) => this.#troubles.get(of),
      unrest: (resource, wanted) =>
        guard.troubleOf(`${object.metadata.uid ?? ""}/${resource}`, wanted),
    };
  }

  #live(object: BundleObject): KubernetesObject | undefined {
    return (
      this.#foreign.get(keyOf(object)) ??
      this.#services.children.of(object)?.get(identityIn(object, this.#bundle.namespace))
    );
  }

  #problemsOf(object: KubernetesObject): readonly string[] {
    const schema = this.#services.knowledge.schemaOf(object.apiVersion, object.kind);
    if (schema === undefined) return [];
    const { group, version } = splitApiVersion(object.apiVersion);
    const subject = `${object.kind} ${object.metadata.name ?? ""}`;
    const { diagnostics } = diagnoseObject(
      { group, version, kind: object.kind },
      schema,
      object as unknown as JsonObject,
      subject,
    );
    return diagnostics.filter(({ severity }) => severity === "error").map(({ summary }) => summary);
  }

  async #readSecret(name: string): Promise<void> {
    const { namespace } = this.#bundle;
    const found = await this.#services.cluster.find({
      apiVersion: "v1",
      kind: "Secret",
      namespace,
      name,
    });
    this.#secrets.set(name, decodedData(found));
  }
}

/** Whether an apply would change anything; without a schema, whether all that is asked for is there. */
export function compareObjects(
  knowledge: ClusterKnowledge,
  wanted: KubernetesObject,
  live: KubernetesObject,
): "same" | "different" {
  const schema = knowledge.schemaOf(wanted.apiVersion, wanted.kind);
  const comparison = compareWithLive(wanted, live, schema, bundleManager);
  if (comparison !== "unsure") return comparison;
  return differingPaths(wanted, live).length === 0 ? "same" : "different";
}

function ownedBy({ metadata }: KubernetesObject, owned: KindWatches): readonly KubernetesObject[] {
  return owned.indexed(byOwner, metadata.uid ?? "");
}

export function identityIn(
  { apiVersion, kind, name }: BundleObject,
  namespace: string,
): ObjectIdentity {
  return { group: groupOf(apiVersion), kind, namespace, name };
}

/** A time as Kubernetes writes it: to the second. */
export function timeOf(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

export function asBundleObject({ apiVersion, kind, metadata }: KubernetesObject): BundleObject {
  return { apiVersion, kind, name: metadata.name ?? "" };
}
