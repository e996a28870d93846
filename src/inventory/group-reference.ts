import { groupOf, type KubernetesObject } from "../objects/index.ts";
import { chosenMetadata, type GroupMetadata } from "./group-metadata.ts";
import { groupKind, inventoryIdLabel } from "./group-names.ts";

/** Which inventory, as a file, a stream or the cluster names it. */
export interface GroupReference {
  readonly name: string;
  readonly namespace: string;
  /** The label if there is one, else `<name>-<namespace>`. */
  readonly id: string;
  /** Where it was read, for messages. */
  readonly source: string;
  /** The labels and annotations that it is to have; those of the cluster stay where nothing names any. */
  readonly metadata?: GroupMetadata | undefined;
}

export function isResourceGroup({ apiVersion, kind }: KubernetesObject): boolean {
  return kind === groupKind && groupOf(apiVersion) === "kpt.dev";
}

/** The inventory that a ResourceGroup object stands for. */
export function groupOfObject(object: KubernetesObject, source: string): GroupReference {
  const { name = "", namespace = "default", labels, annotations } = object.metadata;
  const id = idOfGroup(name, namespace, labels?.[inventoryIdLabel]);
  return { name, namespace, id, source, metadata: chosenMetadata(labels, annotations) };
}

/** Users need not know of ids: without a label one is made of name and namespace. */
export function idOfGroup(name: string, namespace: string, label?: string): string {
  return label === undefined || label === "" ? `${name}-${namespace}` : label;
}
