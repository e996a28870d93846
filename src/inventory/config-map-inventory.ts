import { type Cluster, referenceTo } from "../cluster/index.ts";
import { isJsonObject } from "../json/index.ts";
import { type KubernetesObject, type ObjectIdentity, parseYamlValue } from "../objects/index.ts";
import { inventoryIdLabel } from "./group-names.ts";
import type { GroupReference } from "./group-reference.ts";

/** Before ResourceGroups, a ConfigMap with this label was the inventory; a package holds its template. */
export function isConfigMapInventory({ apiVersion, kind, metadata }: KubernetesObject): boolean {
  return (
    apiVersion === "v1" &&
    kind === "ConfigMap" &&
    (metadata.labels?.[inventoryIdLabel] ?? "") !== ""
  );
}

/** The inventory that such a ConfigMap stands for: the same name, namespace and id. */
export function groupOfConfigMap({ metadata }: KubernetesObject, source: string): GroupReference {
  const { name = "", namespace = "default", labels } = metadata;
  return { name, namespace, id: labels?.[inventoryIdLabel] ?? "", source };
}

/** What a ConfigMap owns: each key is `namespace_name_group_kind`, with `__` for a colon in the name. */
export function entriesOfConfigMap(object: KubernetesObject): readonly ObjectIdentity[] {
  const { data } = object;
  if (!isJsonObject(data)) return [];
  return Object.keys(data).flatMap((key) => {
    const match = /^([^_]*)_(.+)_([^_]*)_([^_]+)$/.exec(key);
    const [, namespace = "", name = "", group = "", kind = ""] = match ?? [];
    return match === null ? [] : [{ group, kind, namespace, name: name.replaceAll("__", ":") }];
  });
}

/** The ConfigMaps in the cluster that belong to an inventory; their names need not be the template's. */
export async function findConfigMapInventories(
  cluster: Cluster,
  { namespace, id }: GroupReference,
): Promise<readonly KubernetesObject[]> {
  const { items } = await cluster.list(
    { apiVersion: "v1", kind: "ConfigMap" },
    { namespace, labelSelector: `${inventoryIdLabel}=${id}` },
  );
  return items;
}

/** Deletes exactly the ConfigMap that was read. */
export async function deleteConfigMapInventory(
  cluster: Cluster,
  found: KubernetesObject,
): Promise<void> {
  await cluster.delete(referenceTo(found), { uid: found.metadata.uid });
}

/** A file without the template in it, with its comments; undefined when nothing else is in it. */
export async function withoutConfigMapInventory(text: string): Promise<string | undefined> {
  const { isDocument, parseAllDocuments } = await import("yaml");
  const documents = parseAllDocuments(text);
  const kept = documents.filter(
    (document) => isDocument(document) && !isTemplateText(String(document)),
  );
  const rest = kept.filter((document) => document.contents !== null);
  return rest.length === 0 ? undefined : rest.map(String).join("---\n");
}

function isTemplateText(text: string): boolean {
  const parsed = parseYamlValue(text);
  return (
    parsed.kind === "value" &&
    isJsonObject(parsed.value) &&
    isJsonObject(parsed.value["metadata"]) &&
    isConfigMapInventory(parsed.value as unknown as KubernetesObject)
  );
}
