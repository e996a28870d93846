import type { KubernetesObject, OwnerReference } from "./kubernetes-object.ts";

/** The owner that looks after an object; others only keep it from being collected. */
export function controllerOf({ metadata }: KubernetesObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true);
}
