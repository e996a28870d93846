import type { Cluster } from "../cluster/index.ts";
import { fieldAt, isJsonObject, type JsonValue } from "../json/index.ts";
import { type KubernetesObject, splitApiVersion } from "../objects/index.ts";
import { builtinSchemas, crdSchema, type Schema } from "../schema/index.ts";
import { customDefinitions } from "./custom-definitions.ts";

export interface ClusterSchemas {
  readonly schemaOf: (apiVersion: string, kind: string) => Schema | undefined;
  /** The definitions of the custom kinds: those of the cluster, then those among the objects. */
  readonly definitions: readonly KubernetesObject[];
}

/**
 * Schemas of the kinds that objects are of: the built-in ones, those that the cluster defines, and
 * before these the ones that are among the objects themselves, because they will be there by then.
 */
export async function clusterSchemas(
  cluster: Cluster,
  objects: readonly KubernetesObject[],
): Promise<ClusterSchemas> {
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
  const definitions =
    groups.size === 0
      ? []
      : [
          ...((await customDefinitions(cluster, kinds)) ?? []),
          ...objects.filter(({ kind }) => kind === "CustomResourceDefinition"),
        ];
  for (const [key, schema] of schemasOfDefinitions(definitions, groups)) schemas.set(key, schema);
  return { schemaOf: (apiVersion, kind) => schemas.get(`${apiVersion} ${kind}`), definitions };
}

/** The schemas in CustomResourceDefinitions, of some groups or of all; what is not one is passed over. */
export function schemasOfDefinitions(
  definitions: Iterable<KubernetesObject>,
  groups?: ReadonlySet<string>,
): ReadonlyMap<string, Schema> {
  const schemas = new Map<string, Schema>();
  for (const { apiVersion, kind, spec } of definitions) {
    if (kind !== "CustomResourceDefinition" || apiVersion !== "apiextensions.k8s.io/v1") continue;
    if (!isJsonObject(spec) || !isJsonObject(spec["names"]) || !Array.isArray(spec["versions"]))
      continue;
    const { group } = spec;
    const { kind: named } = spec["names"];
    if (typeof group !== "string" || typeof named !== "string" || groups?.has(group) === false)
      continue;
    for (const version of spec["versions"] as readonly JsonValue[]) {
      if (!isJsonObject(version) || !isJsonObject(version["schema"])) continue;
      const { name } = version;
      const open = version["schema"]["openAPIV3Schema"];
      if (isJsonObject(open) && typeof name === "string")
        schemas.set(`${group}/${name} ${named}`, {
          ...crdSchema(open),
          hasPlainStatus: fieldAt(version, "subresources", "status") === undefined,
        });
    }
  }
  return schemas;
}
