import { controllerOf, type KubernetesObject, type OwnerReference } from "../objects/index.ts";
import { fieldAt } from "../json/index.ts";
import { type Bundle, bundleLabel } from "./bundle.ts";

/** Whether an object is controlled by this very bundle, not by one that had its name before. */
export function isOfBundle(live: KubernetesObject, { object }: Bundle): boolean {
  return controllerOf(live)?.uid === object.metadata.uid;
}

/** Tells the references that the objects of a bundle have from it, and from each other, from those of others. */
export function isOwnReference(
  live: KubernetesObject,
  { object }: Bundle,
  manager: string,
): (reference: OwnerReference) => boolean {
  const written = (live.metadata.managedFields ?? [])
    .filter((entry) => entry.manager === manager)
    .map(({ fieldsV1 }) => fieldAt(fieldsV1, "f:metadata", "f:ownerReferences"));
  return ({ uid }) =>
    uid === object.metadata.uid ||
    written.some((fields) => fieldAt(fields, `k:{"uid":"${uid}"}`) !== undefined);
}

/** The object as it is written: controlled by the bundle, owned by what it depends on. */
export function withOwners(
  object: KubernetesObject,
  { object: bundle }: Bundle,
  dependencies: readonly KubernetesObject[],
): KubernetesObject {
  const ownerReferences: OwnerReference[] = [
    { ...referenceTo(bundle), controller: true, blockOwnerDeletion: true },
    // A dependency that is deleted in the foreground goes after what uses it.
    ...dependencies.map((each) => ({ ...referenceTo(each), blockOwnerDeletion: true })),
  ];
  const labels = { ...object.metadata.labels, [bundleLabel]: bundle.metadata.uid ?? "" };
  return { ...object, metadata: { ...object.metadata, labels, ownerReferences } };
}

function referenceTo({ apiVersion, kind, metadata }: KubernetesObject): OwnerReference {
  return { apiVersion, kind, name: metadata.name ?? "", uid: metadata.uid ?? "" };
}
