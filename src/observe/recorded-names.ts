import type { Cluster } from "../cluster/index.ts";
import { type Inventory, resourceNameAnnotation } from "../inventory/index.ts";
import { identityOf, type KubernetesObject, type ObjectIdentity } from "../objects/index.ts";
import { observeLive } from "./observe-live.ts";

/** A resource of a program, as the cluster knows it. */
export interface RecordedResource {
  readonly name: string;
  readonly identity: ObjectIdentity;
  readonly object: KubernetesObject;
}

/** The resources that an inventory owns, by their names. */
export async function recordedResources(
  cluster: Cluster,
  inventory: Inventory,
): Promise<ReadonlyMap<string, RecordedResource>> {
  const owned = inventory.parts.flatMap(({ entries }) => entries);
  if (owned.length === 0) return new Map();
  const { live } = await observeLive(cluster, owned);
  return new Map(
    [...live.values()].flatMap((object) => {
      const name = object.metadata.annotations?.[resourceNameAnnotation];
      return name === undefined ? [] : [[name, { name, identity: identityOf(object), object }]];
    }),
  );
}
