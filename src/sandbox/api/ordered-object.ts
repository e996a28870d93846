import type { KubernetesObject } from "../../objects/index.ts";

/**
 * The order in which every stored object begins: kind, apiVersion, metadata. Lists rely on it to cut
 * kind and apiVersion off without parsing.
 */
export function orderedObject(object: KubernetesObject): KubernetesObject {
  const { kind, apiVersion, metadata, ...rest } = object;
  return { kind, apiVersion, metadata: orderedMetadata(metadata), ...rest };
}

function orderedMetadata({
  managedFields,
  ...rest
}: KubernetesObject["metadata"]): KubernetesObject["metadata"] {
  return managedFields === undefined ? rest : { ...rest, managedFields };
}
