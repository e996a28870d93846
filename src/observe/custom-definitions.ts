import { type Cluster, isApiError } from "../cluster/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import { resourcesServing } from "./observe-live.ts";

/**
 * The definitions of some kinds (`group/Kind`), read one by one: clusters hold hundreds of them,
 * megabytes together. Undefined when they may not be read.
 */
export async function customDefinitions(
  cluster: Cluster,
  kinds: ReadonlySet<string>,
): Promise<readonly KubernetesObject[] | undefined> {
  try {
    return await readDefinitions(cluster, kinds);
  } catch (error) {
    if (!isApiError(error, "Forbidden")) throw error;
    return undefined;
  }
}

const definitionKind = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
};
const mostSingleReads = 20;

async function readDefinitions(
  cluster: Cluster,
  kinds: ReadonlySet<string>,
): Promise<readonly KubernetesObject[]> {
  const resources = await resourcesServing(cluster, [...kinds].map(splitKind));
  const names = new Set(
    resources.all
      .filter((resource) => kinds.has(`${resource.group}/${resource.kind}`))
      .map(({ plural, group }) => `${plural}.${group}`),
  );
  if (names.size > mostSingleReads) return (await cluster.list(definitionKind)).items;
  const found = await Promise.all(
    [...names].map((name) => cluster.find({ ...definitionKind, namespace: "", name })),
  );
  return found.filter((definition) => definition !== undefined);
}

function splitKind(each: string): { readonly group: string; readonly kind: string } {
  const slash = each.lastIndexOf("/");
  return { group: each.slice(0, slash), kind: each.slice(slash + 1) };
}
