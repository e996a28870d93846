import {
  type ApiResource,
  apiVersionOf,
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
} from "../objects/index.ts";
import type { ListsAhead } from "./lists-ahead.ts";

/** An object to look for; with an apiVersion where somebody wrote one. */
export interface ObservedKind extends ObjectIdentity {
  readonly apiVersion?: string | undefined;
}

export interface ObserveOptions {
  readonly signal?: AbortSignal | undefined;
  /** Lists that are under way already. */
  readonly ahead?: ListsAhead | undefined;
  /** Whether somebody is going to look once more right after this: then the lists stay ahead. */
  readonly keeps?: boolean | undefined;
}

export interface Observation {
  readonly live: ReadonlyMap<string, KubernetesObject>;
  /** Identity keys of what could not be looked for, because the server of its group does not answer. */
  readonly unchecked: ReadonlySet<string>;
}

/** Looks for objects with one list for each kind and namespace, or single reads where lists are forbidden. */
export async function observeLive(
  cluster: Cluster,
  wanted: readonly ObservedKind[],
  options: ObserveOptions = {},
): Promise<Observation> {
  const resources = await resourcesServing(cluster, wanted);
  const unchecked = new Set<string>();
  const groups = new Map<
    string,
    { readonly kind: ObjectKind; readonly namespace: string; readonly names: Set<string> }
  >();
  for (const identity of wanted) {
    const { kind, namespace, name } = identity;
    const resource = resourceFor(resources, identity);
    if (resource === undefined) {
      if (resources.unavailableGroups.has(identity.group)) unchecked.add(identityKey(identity));
      continue;
    }
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
  return { live, unchecked };
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

function resourceFor(
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
  { signal, ahead, keeps = false }: ObserveOptions,
): Promise<readonly KubernetesObject[]> {
  if (names.size > 1) {
    try {
      const list = await (ahead?.take(kind, namespace) ??
        cluster.list(kind, { ...(namespace === "" ? {} : { namespace }), signal }));
      if (keeps) ahead?.put(kind, namespace, list);
      const { items } = list;
      return items.filter(({ metadata }) => names.has(metadata.name ?? ""));
    } catch (error) {
      if (isNotFound(error)) return [];
      if (!isApiError(error, "Forbidden")) throw error;
    }
  }
  const found = await Promise.all(
    [...names].map((name) => cluster.find({ ...kind, namespace, name }, { signal })),
  );
  return found.filter((object) => object !== undefined);
}
