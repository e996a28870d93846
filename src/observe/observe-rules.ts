import { type Cluster, isApiError, isUnserved } from "../cluster/index.ts";
import { groupOf, type KubernetesObject } from "../objects/index.ts";
import { type ReadinessContext, ruleBook } from "../readiness/index.ts";
import { customDefinitions } from "./custom-definitions.ts";

/**
 * What a verdict on some live objects needs besides them: what the definitions of their kinds say, and
 * the objects that these wait for. Definitions of an input count before those of the cluster.
 */
export async function observeRules(
  cluster: Cluster,
  live: Iterable<KubernetesObject>,
  definitions: readonly KubernetesObject[],
): Promise<Pick<ReadinessContext, "rulesOf" | "childrenOf">> {
  const objects = [...live];
  const kinds = new Set(objects.map(({ apiVersion, kind }) => `${groupOf(apiVersion)}/${kind}`));
  const rulesOf = ruleBook([...((await customDefinitions(cluster, kinds)) ?? []), ...definitions]);
  const wanted = new Map<string, { apiVersion: string; kind: string; namespace: string }>();
  for (const { apiVersion, kind, metadata } of objects) {
    for (const rule of rulesOf(groupOf(apiVersion), kind)?.readyWhen ?? []) {
      if (rule.kind !== "exists") continue;
      const owned = { apiVersion: rule.apiVersion, kind: rule.ownedKind };
      const namespace = metadata.namespace ?? "";
      wanted.set(`${owned.apiVersion} ${owned.kind} ${namespace}`, { ...owned, namespace });
    }
  }
  const children = new Map<string, KubernetesObject[]>();
  await Promise.all(
    [...wanted.values()].map(async (each) => {
      for (const object of await listOrNothing(cluster, each))
        for (const { uid } of object.metadata.ownerReferences ?? [])
          children.set(uid, [...(children.get(uid) ?? []), object]);
    }),
  );
  return { rulesOf, childrenOf: ({ metadata: { uid = "" } }) => children.get(uid) ?? [] };
}

/** What may not be seen, or is of a kind that nobody serves, does not count. */
async function listOrNothing(
  cluster: Cluster,
  { apiVersion, kind, namespace }: { apiVersion: string; kind: string; namespace: string },
): Promise<readonly KubernetesObject[]> {
  try {
    const place = namespace === "" ? {} : { namespace };
    const { items } = await cluster.list({ apiVersion, kind }, { ...place, metadataOnly: true });
    return items.map(({ metadata }) => ({ apiVersion, kind, metadata }));
  } catch (error) {
    if (isUnserved(error) || isApiError(error, "Forbidden", "NotFound")) return [];
    throw error;
  }
}
