import { type BlueprintGroup, isBlueprintGroup } from "../../blueprints/index.ts";
import { groupOf, type KubernetesObject } from "../../objects/index.ts";

/** An object of one of the two groups as the work queue names it. */
export interface OwnerKey {
  readonly group: BlueprintGroup;
  /** Empty for blueprints. */
  readonly namespace: string;
  readonly name: string;
}

export function ownerKey({ group, namespace, name }: OwnerKey): string {
  return `${group}/${namespace}/${name}`;
}

export function keyOfObject({ apiVersion, metadata }: KubernetesObject): string {
  const { namespace = "", name = "" } = metadata;
  return `${groupOf(apiVersion)}/${namespace}/${name}`;
}

export function readOwnerKey(key: string): OwnerKey {
  const [group = "", namespace = "", name = ""] = key.split("/");
  if (!isBlueprintGroup(group)) throw new Error(`${key} is no key of an owner`);
  return { group, namespace, name };
}

/** Whether what an owner asks for may have changed: its status is our own word. */
export function isNewRequest(
  object: KubernetesObject,
  previous: KubernetesObject | undefined,
): boolean {
  if (previous === undefined) return true;
  const { metadata } = object;
  const before = previous.metadata;
  return (
    metadata.generation !== before.generation ||
    metadata.uid !== before.uid ||
    metadata.deletionTimestamp !== before.deletionTimestamp ||
    JSON.stringify([metadata.labels, metadata.annotations]) !==
      JSON.stringify([before.labels, before.annotations])
  );
}
