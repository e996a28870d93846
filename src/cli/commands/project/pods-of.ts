import type { Cluster } from "../../../cluster/index.ts";
import type { KubernetesObject } from "../../../objects/index.ts";

/** The pods that an object is or owns, directly or through what it owns. */
export async function podsOf(
  cluster: Cluster,
  object: KubernetesObject,
): Promise<readonly KubernetesObject[]> {
  if (object.kind === "Pod") return [object];
  const { namespace = "", uid = "" } = object.metadata;
  const [pods, sets, jobs] = await Promise.all(
    [
      { apiVersion: "v1", kind: "Pod" },
      { apiVersion: "apps/v1", kind: "ReplicaSet" },
      { apiVersion: "batch/v1", kind: "Job" },
    ].map(async (kind) => (await cluster.list(kind, { namespace })).items),
  );
  const owners = new Set([uid]);
  for (const each of [...(sets ?? []), ...(jobs ?? [])])
    if (isOwned(each, owners)) owners.add(each.metadata.uid ?? "");
  return (pods ?? []).filter((pod) => isOwned(pod, owners));
}

function isOwned({ metadata }: KubernetesObject, owners: ReadonlySet<string>): boolean {
  return metadata.ownerReferences?.some(({ uid }) => owners.has(uid)) ?? false;
}
