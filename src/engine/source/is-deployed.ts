import { isConfigMapInventory, isResourceGroup } from "../../inventory/index.ts";
import type { SourcedObject } from "../../objects/index.ts";

const localConfig = "config.kubernetes.io/local-config";

/** Inventories and what is marked as local configuration are not for the cluster. */
export function isDeployed({ object }: SourcedObject): boolean {
  return (
    !isResourceGroup(object) &&
    !isConfigMapInventory(object) &&
    object.metadata.annotations?.[localConfig] !== "true" &&
    object.kind !== "Kptfile"
  );
}
