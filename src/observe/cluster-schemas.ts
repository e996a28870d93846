import { type Cluster, isApiError } from "../cluster/index.ts";
import {
  isJsonObject,
  type JsonValue,
  type KubernetesObject,
  splitApiVersion,
} from "../objects/index.ts";
import { builtinSchemas, crdSchema, type Schema } from "../schema/index.ts";

/**
 * Schemas of the kinds that objects are of: the built-in ones, those that the cluster defines, and
 * before these the ones that are among the objects themselves, because they will be there by then.
 */
export async function clusterSchemas(
  cluster: Cluster,
  objects: readonly KubernetesObject[],
): Promise<(apiVersion: string, kind: string) => Schema | undefined> {
  const builtin = builtinSchemas();
  const schemas = new Map<string, Schema>();
  const groups = new Set<string>();
  for (const { apiVersion, kind } of objects) {
    const schema = builtin.get({ ...splitApiVersion(apiVersion), kind });
    if (schema === undefined) groups.add(splitApiVersion(apiVersion).group);
    else schemas.set(`${apiVersion} ${kind}`, schema);
  }
  if (groups.size > 0) {
    for (const [key, schema] of await customSchemas(cluster, groups)) schemas.set(key, schema);
    for (const [key, schema] of schemasOfDefinitions(objects, groups)) schemas.set(key, schema);
  }
  return (apiVersion, kind) => schemas.get(`${apiVersion} ${kind}`);
}

async function customSchemas(
  cluster: Cluster,
  groups: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Schema>> {
  try {
    const { items } = await cluster.list({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
    });
    return schemasOfDefinitions(items, groups);
  } catch (error) {
    // Without them the server is asked about every custom object.
    if (!isApiError(error, "Forbidden")) throw error;
    return new Map();
  }
}

/** The schemas in CustomResourceDefinitions of some groups; what is not one is passed over. */
function schemasOfDefinitions(
  definitions: Iterable<KubernetesObject>,
  groups: ReadonlySet<string>,
): ReadonlyMap<string, Schema> {
  const schemas = new Map<string, Schema>();
  for (const { apiVersion, kind, spec } of definitions) {
    if (kind !== "CustomResourceDefinition" || apiVersion !== "apiextensions.k8s.io/v1") continue;
    if (!isJsonObject(spec) || !isJsonObject(spec["names"]) || !Array.isArray(spec["versions"]))
      continue;
    const { group } = spec;
    const { kind: named } = spec["names"];
    if (typeof group !== "string" || typeof named !== "string" || !groups.has(group)) continue;
    for (const version of spec["versions"] as readonly JsonValue[]) {
      if (!isJsonObject(version) || !isJsonObject(version["schema"])) continue;
      const { name } = version;
      const open = version["schema"]["openAPIV3Schema"];
      if (isJsonObject(open) && typeof name === "string")
        schemas.set(`${group}/${name} ${named}`, crdSchema(open));
    }
  }
  return schemas;
}
