import type { KubernetesObject, OwnerReference } from "../../objects/index.ts";
import type { Runtime } from "./runtime.ts";
import { type ObjectSelector, selects } from "../api/object-selector.ts";

export function controllerReference(owner: KubernetesObject): OwnerReference {
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name ?? "",
    uid: owner.metadata.uid ?? "",
    controller: true,
    blockOwnerDeletion: true,
  };
}

/**
 * The objects that an owner controls: what it selects and owns, with what nobody owns adopted, and what
 * it no longer selects let go.
 */
export function claimOwned(
  runtime: Runtime,
  resource: string,
  owner: KubernetesObject,
  selector: ObjectSelector | undefined,
): readonly KubernetesObject[] {
  const { namespace = "", uid = "", deletionTimestamp } = owner.metadata;
  const claimed: KubernetesObject[] = [];
  for (const object of runtime.ownedBy(resource, owner)) {
    if (selects(selector, object.metadata.labels)) claimed.push(object);
    else if (deletionTimestamp === undefined) release(runtime, resource, object, uid);
  }
  if (deletionTimestamp !== undefined) return claimed;
  for (const object of runtime.orphans(resource, namespace)) {
    const { labels, deletionTimestamp: isGoing } = object.metadata;
    if (isGoing !== undefined || !selects(selector, labels)) continue;
    const adopted = adopt(runtime, resource, object, owner);
    if (adopted !== undefined) claimed.push(adopted);
  }
  return claimed;
}

function adopt(
  { client }: Runtime,
  resource: string,
  { metadata: { namespace = "", name = "" } }: KubernetesObject,
  owner: KubernetesObject,
): KubernetesObject | undefined {
  return client.update(resource, namespace, name, (live) => ({
    ...live,
    metadata: {
      ...live.metadata,
      ownerReferences: [...(live.metadata.ownerReferences ?? []), controllerReference(owner)],
    },
  }));
}

function release(
  { client }: Runtime,
  resource: string,
  { metadata: { namespace = "", name = "" } }: KubernetesObject,
  ownerUid: string,
): void {
  client.update(resource, namespace, name, (live) => {
    const { ownerReferences = [], ...metadata } = live.metadata;
    const kept = ownerReferences.filter(({ uid }) => uid !== ownerUid);
    return {
      ...live,
      metadata: kept.length === 0 ? metadata : { ...metadata, ownerReferences: kept },
    };
  });
}
