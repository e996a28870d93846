/**
 * Reads what a plan needs of the cluster: live objects by lists, schemas of custom kinds.
 *
 * Reads only; nothing in this folder writes, not even a lock.
 */
export { findOwned, requireKindGone } from "./find-owned.ts";
export type { Observation } from "./observe-live.ts";
export { observeLive, resourcesServing } from "./observe-live.ts";
export type { ClusterReads } from "./read-once.ts";
export { readOnce } from "./read-once.ts";
export type { ClusterSchemas } from "./cluster-schemas.ts";
export { clusterSchemas, schemasOfDefinitions } from "./cluster-schemas.ts";
export { customDefinitions } from "./custom-definitions.ts";
export { observeRules } from "./observe-rules.ts";
export type { RecordedResource } from "./recorded-names.ts";
export { recordedResources } from "./recorded-names.ts";
export { changesBetween, changesOf } from "./changes-of.ts";
export { ownedObjects } from "./owned-objects.ts";
