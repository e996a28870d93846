import type { KubernetesObject } from "./kubernetes-object.ts";

/** An object without the record of who owns which field, which is often most of it. */
export function withoutOwners(object: KubernetesObject): KubernetesObject {
  const { managedFields, ...metadata } = object.metadata;
  return managedFields === undefined ? object : { ...object, metadata };
}
