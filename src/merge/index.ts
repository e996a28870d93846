/**
 * Structured merge: who owns which field of an object, and what becomes of both when somebody
 * applies, updates or patches it, exactly as the Kubernetes API server does it.
 *
 * This folder takes objects and schemas and returns objects; it knows no store, no request and no
 * clock. Defaulting, pruning of unknown fields and validation are not done here.
 */
export type { ConfigurationResult } from "./apply-configuration.ts";
export { applyConfiguration } from "./apply-configuration.ts";
export { updateManagers } from "./update-owners.ts";
export type { VersionedKind } from "./object-versions.ts";
export { FieldSet, fieldSetOf } from "./field-set.ts";
export type { PathElement } from "./path-element.ts";
export { isApplied } from "./is-applied.ts";
export { keepTimestamps } from "./keep-timestamps.ts";
export { atomicFields, mergeConfiguration } from "./merge-configuration.ts";
export { resetFieldsOf } from "./reset-fields.ts";
export type { ReplicasPaths } from "./scale-owners.ts";
export { ownersAfterScale, ownersOfScale } from "./scale-owners.ts";
export type { FormerOwner } from "./taken-over.ts";
export { helmOwner, takenOver } from "./taken-over.ts";
export { typeNodeOf } from "./type-node.ts";
export { equalValues } from "../json/index.ts";
