import {
  type Cluster,
  type ObjectKind,
  type ObjectReference,
  resourceNotServed,
} from "../cluster/index.ts";
import { groupOf, type KubernetesObject, scopeLookup, apiVersionOf } from "../objects/index.ts";
import { fieldAt } from "../json/index.ts";

const definitionKind = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
} as const;
const isBuiltIn = scopeLookup({});

/**
 * An object that somebody remembers as their own, asked for by its name; undefined only when it is
 * certainly gone. Fails where nobody can tell, so that what cannot be seen is not taken for gone. Whoever may
 * only list and watch, as controllers do, may ask.
 */
export async function findOwned(
  cluster: Cluster,
  { apiVersion, kind, namespace, name }: ObjectReference,
): Promise<KubernetesObject | undefined> {
  const resources = await cluster.resources();
  const resource =
    resources.find({ apiVersion, kind }) ?? resources.preferred(groupOf(apiVersion), kind);
  if (resource !== undefined) {
    const { items } = await cluster.list(
      { apiVersion: apiVersionOf(resource), kind },
      { fieldSelector: `metadata.name=${name}`, ...(namespace === undefined ? {} : { namespace }) },
    );
    return items.find(({ metadata }) => metadata.name === name);
  }
  await requireKindGone(cluster, { apiVersion, kind });
  return undefined;
}

/**
 * Fails unless a custom kind, and every object of it with it, is certainly gone: neither discovery nor any
 * definition names it. Built-in kinds do not go, and a server that does not answer proves nothing.
 */
export async function requireKindGone(cluster: Cluster, kind: ObjectKind): Promise<void> {
  const group = groupOf(kind.apiVersion);
  const resources = await cluster.refreshResources();
  const isKnown =
    isBuiltIn(group, kind.kind) !== undefined ||
    resources.unavailableGroups.has(group) ||
    resources.preferred(group, kind.kind) !== undefined;
  if (isKnown || (await isDefined(cluster, group, kind.kind))) resourceNotServed(kind, resources);
}

async function isDefined(cluster: Cluster, group: string, kind: string): Promise<boolean> {
  const { items } = await cluster.list(definitionKind);
  return items.some(
    (each) =>
      fieldAt(each, "spec", "group") === group && fieldAt(each, "spec", "names", "kind") === kind,
  );
}
