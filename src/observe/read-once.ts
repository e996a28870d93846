import {
  type ObjectApplyOptions,
  type Cluster,
  type ListOptions,
  type ObjectKind,
  type ObjectList,
  type ObjectReference,
} from "../cluster/index.ts";
import { type JsonValue, stringifyJson } from "../json/index.ts";
import {
  identityKey,
  identityOf,
  type KubernetesObject,
  type LikelyKind,
  splitApiVersion,
  apiVersionOf,
} from "../objects/index.ts";

/** A cluster as one plan sees it: each thing is read once, however often somebody asks for it. */
export interface ClusterReads extends Cluster {
  /**
   * Begins lists before it is known for certain that they are needed, so that the server works while
   * the input is read. Never fails: what cannot be listed is found out by whoever needs it.
   */
  readonly begin: (likely: readonly LikelyKind[]) => Promise<void>;
}

/** An input that names more kinds and namespaces than this gains nothing by lists ahead. */
const mostLists = 50;

export function readOnce(cluster: Cluster, signal?: AbortSignal): ClusterReads {
  const lists = new Map<string, Promise<ObjectList>>();
  const answers = new Map<string, Promise<unknown>>();
  const once = <Answer>(key: string, ask: () => Promise<Answer>): Promise<Answer> => {
    const known = answers.get(key) as Promise<Answer> | undefined;
    if (known !== undefined) return known;
    const asked = ask();
    answers.set(key, asked);
    return asked;
  };
  const list: Cluster["list"] = (kind, options = {}) => {
    const key = listKey(kind, options);
    const known = lists.get(key);
    if (known !== undefined) return known;
    const asked = cluster.list(kind, { signal, ...options });
    lists.set(key, asked);
    return asked;
  };
  const find: Cluster["find"] = async (reference, options) => {
    const listing = lists.get(listKey(reference, { namespace: reference.namespace }));
    // Who may not list may still read single objects.
    const listed = await listing?.catch(() => undefined);
    if (listed !== undefined) return objectIn(listed, reference);
    return once(`find ${stringifyJson({ ...reference })}`, () => cluster.find(reference, options));
  };
  return {
    ...cluster,
    list,
    find,
    apply: (object, options) =>
      options.dryRun === true
        ? once(dryRunKey(object, options), () => cluster.apply(object, options))
        : cluster.apply(object, options),
    begin: async (likely) => {
      const resources = await cluster.resources().catch(() => undefined);
      for (const { apiVersion, kind, namespace } of likely) {
        const resource =
          resources?.find({ apiVersion, kind }) ??
          resources?.preferred(splitApiVersion(apiVersion).group, kind);
        if (resource === undefined || lists.size >= mostLists) continue;
        const place = resource.namespaced ? (namespace ?? cluster.namespace) : "";
        const served = { apiVersion: apiVersionOf(resource), kind };
        list(served, place === "" ? {} : { namespace: place }).catch(() => undefined);
      }
    },
  };
}

function dryRunKey(object: KubernetesObject, { fieldManager, force }: ObjectApplyOptions): string {
  return `dry run ${stringifyJson([object as unknown as JsonValue, fieldManager, force ?? false])}`;
}

function listKey({ apiVersion, kind }: ObjectKind, options: ListOptions): string {
  const { namespace = "", signal: _signal, ...rest } = options;
  return stringifyJson([apiVersion, kind, namespace, rest]);
}

function objectIn({ items }: ObjectList, reference: ObjectReference): KubernetesObject | undefined {
  const { apiVersion, kind, namespace = "", name } = reference;
  const { group } = splitApiVersion(apiVersion);
  const key = identityKey({ group, kind, namespace, name });
  return items.find((object) => identityKey(identityOf(object)) === key);
}
