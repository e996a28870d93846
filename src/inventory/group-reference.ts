import { groupOf, type KubernetesObject } from "../objects/index.ts";
import { groupKind, inventoryIdLabel } from "./group-names.ts";

/** Which inventory, as a file, a stream or the cluster names it. */
export interface GroupReference {
  readonly name: string;
  readonly namespace: string;
  /** The label if there is one, else `<name>-<namespace>`. */
  readonly id: string;
  /** Where it was read, for messages. */
  readonly source: string;
}

export function isResourceGroup({ apiVersion, kind }: KubernetesObject): boolean {
  return kind === groupKind && groupOf(apiVersion) === "kpt.dev";
}

/** The inventory that a ResourceGroup object stands for. */
export function groupOfObject(object: KubernetesObject, source: string): GroupReference {
  const { name = "", namespace = "default", labels } = object.metadata;
  return { name, namespace, id: idOfGroup(name, namespace, labels?.[inventoryIdLabel]), source };
}

/** Users need not know of ids: without a label one is made of name and namespace. */
export function idOfGroup(name: string, namespace: string, label?: string): string {
  return label === undefined || label === "" ? `${name}-${namespace}` : label;
}
