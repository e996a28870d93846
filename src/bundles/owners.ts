import type { KubernetesObject, OwnerReference } from "../objects/index.ts";
import { type Bundle, bundleLabel } from "./bundle.ts";

/** Whether an object is controlled by this very bundle, not by one that had its name before. */
export function isOfBundle(live: KubernetesObject, { object }: Bundle): boolean {
  return controllerOf(live)?.uid === object.metadata.uid;
}

export function controllerOf({ metadata }: KubernetesObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true);
}

/** The object as it is written: controlled by the bundle, owned by what it depends on. */
export function withOwners(
  object: KubernetesObject,
  { object: bundle }: Bundle,
  dependencies: readonly KubernetesObject[],
): KubernetesObject {
  const ownerReferences: OwnerReference[] = [
    { ...referenceTo(bundle), controller: true, blockOwnerDeletion: true },
    ...dependencies.map(referenceTo),
  ];
  const labels = { ...object.metadata.labels, [bundleLabel]: bundle.metadata.uid ?? "" };
  return { ...object, metadata: { ...object.metadata, labels, ownerReferences } };
}

function referenceTo({ apiVersion, kind, metadata }: KubernetesObject): OwnerReference {
  return { apiVersion, kind, name: metadata.name ?? "", uid: metadata.uid ?? "" };
}
