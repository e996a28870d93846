/**
 * Reads what a plan needs of the cluster: live objects by lists, schemas of custom kinds.
 *
 * Reads only; nothing in this folder writes, not even a lock.
 */
export type { Observation, ObservedKind, ObserveOptions } from "./observe-live.ts";
export { observeLive } from "./observe-live.ts";
export { ListsAhead } from "./lists-ahead.ts";
export { clusterSchemas } from "./cluster-schemas.ts";
export type { RecordedResource } from "./recorded-names.ts";
export { recordedResources } from "./recorded-names.ts";
export { changesOf } from "./changes-of.ts";
export { ownedObjects } from "./owned-objects.ts";
