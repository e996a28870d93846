import { type Cluster, isApiError } from "../cluster/index.ts";
import { isJsonObject, type JsonValue, splitApiVersion } from "../objects/index.ts";
import { builtinSchemas, crdSchema, type Schema } from "../schema/index.ts";

/** Schemas of the kinds that objects are of: the built-in ones, and those that the cluster defines. */
export async function clusterSchemas(
  cluster: Cluster,
  kinds: Iterable<{ readonly apiVersion: string; readonly kind: string }>,
): Promise<(apiVersion: string, kind: string) => Schema | undefined> {
  const builtin = builtinSchemas();
  const schemas = new Map<string, Schema>();
  const groups = new Set<string>();
  for (const { apiVersion, kind } of kinds) {
    const schema = builtin.get({ ...splitApiVersion(apiVersion), kind });
    if (schema === undefined) groups.add(splitApiVersion(apiVersion).group);
    else schemas.set(`${apiVersion} ${kind}`, schema);
  }
  if (groups.size > 0) {
    for (const [key, schema] of await customSchemas(cluster, groups)) schemas.set(key, schema);
  }
  return (apiVersion, kind) => schemas.get(`${apiVersion} ${kind}`);
}

interface DefinitionSpec {
  readonly group: string;
  readonly names: { readonly kind: string };
  readonly versions: readonly {
    readonly name: string;
    readonly schema?: { readonly openAPIV3Schema?: JsonValue };
  }[];
}

async function customSchemas(
  cluster: Cluster,
  groups: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Schema>> {
  const schemas = new Map<string, Schema>();
  try {
    const { items } = await cluster.list({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
    });
    for (const definition of items) {
      const { group, names, versions } = definition["spec"] as DefinitionSpec;
      if (!groups.has(group)) continue;
      for (const { name, schema } of versions) {
        const open = schema?.openAPIV3Schema;
        if (isJsonObject(open)) schemas.set(`${group}/${name} ${names.kind}`, crdSchema(open));
      }
    }
  } catch (error) {
    // Without them the server is asked about every custom object.
    if (!isApiError(error, "Forbidden")) throw error;
  }
  return schemas;
}
