/**
 * What we own: ResourceGroups in the cluster, who owns an object, and the Lease that lets one run at a
 * time change a group.
 *
 * This folder does not decide what is applied or deleted; it remembers, and it refuses what is not ours.
 */
export type { GroupReference } from "./group-reference.ts";
export { groupOfObject, idOfGroup, isResourceGroup } from "./group-reference.ts";
export {
  groupApiVersion,
  groupKind,
  inventoryIdLabel,
  owningInventoryAnnotation,
  resourceNameAnnotation,
} from "./group-names.ts";
export { provisionedDefinition } from "./provisioned-definition.ts";
export {
  definitionVersion,
  definitionVersionAnnotation,
  groupDefinition,
} from "./group-definition.ts";
export type { Inventory, ResourceStatus } from "./inventory.ts";
export type { HelmRelease } from "./helm-release.ts";
export { readHelmRelease } from "./helm-release.ts";
export { emptyInventory, presentEntries } from "./inventory.ts";
export type { HistoryEntry, HistoryObject } from "./history.ts";
export { historyOfGroup } from "./group-object.ts";
export { addToHistory, entryOf, historyField, readHistory } from "./history.ts";
export { inventoryViolations } from "./inventory-violations.ts";
export type { InventoryPolicy, Ownership } from "./ownership.ts";
export { ownershipOf } from "./ownership.ts";
export {
  deleteInventory,
  hasChosenMetadata,
  hasStatuses,
  knownInventory,
  loadInventory,
  saveInventory,
} from "./inventory-store.ts";
export { servesInventories } from "./serves-inventories.ts";
export {
  ensureDefinition,
  ensureGroupDefinition,
  isNewerDefinition,
} from "./ensure-group-definition.ts";
export type { HeldLease } from "./held-lease.ts";
export type { LeaseClock, Moment } from "./lease-clock.ts";
export type { LeaseReference } from "./lease-object.ts";
export { takeLease, whileHolding } from "./lease.ts";
export { checkGroup, chooseGroup } from "./choose-group.ts";
export { inventoryOfKptfile, kptfileInventory, withoutInventory } from "./kptfile.ts";
export {
  deleteConfigMapInventory,
  entriesOfConfigMap,
  findConfigMapInventories,
  groupOfConfigMap,
  isConfigMapInventory,
  withoutConfigMapInventory,
} from "./config-map-inventory.ts";
export { groupFileText } from "./group-file.ts";
