import type { KubernetesObject } from "../../objects/index.ts";
import type { ObjectReference } from "./api-resource.ts";

export function referenceTo({ apiVersion, kind, metadata }: KubernetesObject): ObjectReference {
  return { apiVersion, kind, namespace: metadata.namespace, name: metadata.name ?? "" };
}
