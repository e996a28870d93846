import {
  type ApiResource,
  type Cluster,
  isApiError,
  isNotFound,
  type ObjectKind,
  type ResourceIndex,
} from "../cluster/index.ts";
import {
  identityKey,
  identityOf,
  type KubernetesObject,
  type ObjectIdentity,
  apiVersionOf,
} from "../objects/index.ts";
import { type Absence, proveAbsence } from "./prove-absence.ts";

/** An object to look for; with an apiVersion where somebody wrote one. */
export interface ObservedKind extends ObjectIdentity {
  readonly apiVersion?: string | undefined;
}

export interface ObserveOptions {
  readonly signal?: AbortSignal | undefined;
  /** Objects that may be forgotten when they are gone: what no list shows is asked for by name. */
  readonly owned?: readonly ObjectIdentity[] | undefined;
  /** Custom kinds, as `Kind.group`, that are given up where the cluster does not serve them. */
  readonly forgetKinds?: readonly string[] | undefined;
}

export interface Observation {
  readonly live: ReadonlyMap<string, KubernetesObject>;
  /** What is known of owned objects that are not live. */
  readonly absence: Absence;
}

/**
 * Looks for objects with one list for each kind and namespace, or single reads where lists are forbidden.
 * That an owned object is not there is believed only when the server says so of that very object.
 */
export async function observeLive(
  cluster: Cluster,
  wanted: readonly ObservedKind[],
  options: ObserveOptions = {},
): Promise<Observation> {
  const resources = await resourcesServing(cluster, wanted);
  const groups = new Map<
    string,
    { readonly kind: ObjectKind; readonly namespace: string; readonly names: Set<string> }
  >();
  for (const identity of wanted) {
    const { kind, namespace, name } = identity;
    const resource = resourceFor(resources, identity);
    // Without a name there is nothing to look for.
    if (resource === undefined || name === "") continue;
    const version = apiVersionOf(resource);
    const key = `${version}/${kind}/${namespace}`;
    const known = groups.get(key);
    if (known === undefined)
      groups.set(key, { kind: { apiVersion: version, kind }, namespace, names: new Set([name]) });
    else known.names.add(name);
  }
  const live = new Map<string, KubernetesObject>();
  await Promise.all(
    [...groups.values()].map(async ({ kind, namespace, names }) => {
      for (const object of await readObjects(cluster, kind, namespace, names, options))
        live.set(identityKey(identityOf(object)), object);
    }),
  );
  const missing = (options.owned ?? []).filter((identity) => !live.has(identityKey(identity)));
  const { found, ...absence } = await proveAbsence(cluster, missing, options);
  for (const object of found) live.set(identityKey(identityOf(object)), object);
  return { live, absence };
}

/** What is cached may be older than a kind that somebody added: absence is believed of the server only. */
export async function resourcesServing(
  cluster: Cluster,
  wanted: Iterable<Pick<ObservedKind, "group" | "kind" | "apiVersion">>,
): Promise<ResourceIndex> {
  const known = await cluster.resources();
  for (const kind of wanted)
    if (resourceFor(known, kind) === undefined) return cluster.refreshResources();
  return known;
}

export function resourceFor(
  resources: ResourceIndex,
  { group, kind, apiVersion }: Pick<ObservedKind, "group" | "kind" | "apiVersion">,
): ApiResource | undefined {
  const exact = apiVersion === undefined ? undefined : resources.find({ apiVersion, kind });
  return exact ?? resources.preferred(group, kind);
}

async function readObjects(
  cluster: Cluster,
  kind: ObjectKind,
  namespace: string,
  names: ReadonlySet<string>,
  { signal }: ObserveOptions,
): Promise<readonly KubernetesObject[]> {
  if (names.size > 1) {
    try {
      const place = namespace === "" ? {} : { namespace };
      const { items } = await cluster.list(kind, { ...place, signal });
      return items.filter(({ metadata }) => names.has(metadata.name ?? ""));
    } catch (error) {
      if (!isNotFound(error) && !isApiError(error, "Forbidden")) throw error;
    }
  }
  const found = await Promise.all(
    [...names].map((name) =>
      cluster.find({ ...kind, namespace, name }, { signal }).catch((error: unknown) => {
        // The path is not served any more: the object is not to be seen, which proves nothing.
        if (isNotFound(error)) return undefined;
        throw error;
      }),
    ),
  );
  return found.filter((object) => object !== undefined);
}
