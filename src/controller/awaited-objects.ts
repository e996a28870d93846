import { type Cluster, type ObjectReference, type ResourceIndex } from "../cluster/index.ts";
import { DiagnosticError } from "../diagnostics/index.ts";
import {
  identityKey,
  type KubernetesObject,
  type ObjectIdentity,
  apiVersionOf,
} from "../objects/index.ts";
import type { DependencyState } from "../plan/index.ts";
import { readinessOf, type RulesLookup } from "../readiness/index.ts";
import { Answers } from "./answers.ts";
import type { OutsideObjects } from "./outside-objects.ts";

/** Not everything can be watched: whatever is waited for is looked at again after this. */
const lookAgainMs = 30_000;

export interface AwaitedObjectsOptions {
  readonly cluster: Pick<Cluster, "refreshResources" | "resources">;
  readonly rulesOf: RulesLookup | undefined;
  /** The only namespace that is watched; all when undefined. */
  readonly namespace: string | undefined;
}

type Find = (reference: ObjectReference) => Promise<KubernetesObject | undefined>;

interface Looked {
  readonly state: DependencyState;
  /** What to watch to hear of a change. */
  readonly watch?: OutsideObjects | undefined;
}

/**
 * What the objects of one owner depend on outside of it, during one look: asked for first, then read. Only
 * whether these exist and are ready is kept.
 */
export class AwaitedObjects {
  readonly #options: AwaitedObjectsOptions;
  readonly #looked = new Answers<ObjectIdentity, Looked | undefined>();

  constructor(options: AwaitedObjectsOptions) {
    this.#options = options;
  }

  /** How an object is; one that was not read yet is read next. */
  readonly stateOf = (identity: ObjectIdentity): DependencyState | undefined =>
    this.#looked.get(identityKey(identity), identity, undefined)?.state;

  /** Reads what was asked for; says whether there was anything. */
  read(find: Find): Promise<boolean> {
    return this.#looked.read((identity) => this.#look(identity, find));
  }

  /** When to look again, if something is waited for. */
  get againMs(): number | undefined {
    const isWaiting = this.#looked.values.some((looked) => looked?.state.kind === "waiting");
    return isWaiting ? lookAgainMs : undefined;
  }

  /** The objects to watch: those that are waited for. */
  get watched(): readonly OutsideObjects[] {
    return this.#looked.values.flatMap((looked) => looked?.watch ?? []);
  }

  async #look(identity: ObjectIdentity, find: Find): Promise<Looked> {
    const { group, kind, namespace, name } = identity;
    const { cluster } = this.#options;
    const preferred = (index: ResourceIndex) => index.preferred(group, kind);
    const resource =
      preferred(await cluster.resources()) ?? preferred(await cluster.refreshResources());
    if (resource === undefined) return waiting("whose kind the cluster does not serve");
    if (resource.namespaced !== (namespace !== ""))
      return waiting(
        resource.namespaced ? "which must be named with its namespace" : "which has no namespace",
      );
    const apiVersion = apiVersionOf(resource);
    const reference = { apiVersion, kind, name, ...(namespace === "" ? {} : { namespace }) };
    try {
      const found = await find(reference);
      if (found === undefined) return this.#waiting(identity, apiVersion, undefined);
      const { status } = readinessOf(found, {
        now: Date.now(),
        jobsMustComplete: true,
        rulesOf: this.#options.rulesOf,
      });
      return status === "Current"
        ? { state: { kind: "ready" } }
        : this.#waiting(identity, apiVersion, found);
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      return waiting(`which cannot be read: ${error.message}`);
    }
  }

  #waiting(
    { kind, namespace, name }: ObjectIdentity,
    apiVersion: string,
    found: KubernetesObject | undefined,
  ): Looked {
    const { state } = waiting(found === undefined ? "which does not exist" : "which is not ready");
    const isWatched = [undefined, namespace].includes(this.#options.namespace);
    if (!isWatched) return { state };
    const concerns = ({ metadata }: KubernetesObject): boolean =>
      (metadata.namespace ?? "") === namespace && metadata.name === name;
    // Versions tell whether it has changed since; its contents are nobody's business here.
    const seen =
      found === undefined
        ? []
        : [{ apiVersion, kind, metadata: versionOf(found) } satisfies KubernetesObject];
    return { state, watch: { apiVersion, kind, which: `${namespace}/${name}`, concerns, seen } };
  }
}

function waiting(why: string): Looked {
  return { state: { kind: "waiting", why } };
}

function versionOf({ metadata }: KubernetesObject): KubernetesObject["metadata"] {
  const { uid, resourceVersion } = metadata;
  return {
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}
