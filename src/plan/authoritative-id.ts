import type { KubernetesObject } from "../objects/index.ts";
import { isProvisionedObject, recordOfObject } from "./provisioned-record.ts";

/** The id by which its own system knows the resource that an object is, or is the record of. */
export function authoritativeId(object: KubernetesObject): string {
  if (!isProvisionedObject(object)) return object.metadata.uid ?? "";
  return recordOfObject(object)?.status?.id ?? "";
}
