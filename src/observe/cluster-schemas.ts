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
  const kinds = new Set<string>();
  for (const { apiVersion, kind } of objects) {
    if (schemas.has(`${apiVersion} ${kind}`)) continue;
    const { group, version } = splitApiVersion(apiVersion);
    const schema = builtin.get({ group, version, kind });
    if (schema === undefined) {
      groups.add(group);
      kinds.add(`${group}/${kind}`);
    } else schemas.set(`${apiVersion} ${kind}`, schema);
  }
  if (groups.size > 0) {
    for (const [key, schema] of await customSchemas(cluster, groups, kinds))
      schemas.set(key, schema);
    for (const [key, schema] of schemasOfDefinitions(objects, groups)) schemas.set(key, schema);
  }
  return (apiVersion, kind) => schemas.get(`${apiVersion} ${kind}`);
}

async function customSchemas(
  cluster: Cluster,
  groups: ReadonlySet<string>,
  kinds: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Schema>> {
  try {
    return schemasOfDefinitions(await definitionsOf(cluster, kinds), groups);
  } catch (error) {
    // Without them the server is asked about every custom object.
    if (!isApiError(error, "Forbidden")) throw error;
    return new Map();
  }
}

const definitionKind = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
};
const mostSingleReads = 20;

/** The definitions of some kinds, read one by one: clusters hold hundreds of them, megabytes together. */
async function definitionsOf(
  cluster: Cluster,
  kinds: ReadonlySet<string>,
): Promise<readonly KubernetesObject[]> {
  const resources = await cluster.resources();
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
