/**
 * Structured merge: who owns which field of an object, and what becomes of both when somebody
 * applies, updates or patches it, exactly as the Kubernetes API server does it.
 *
 * This folder takes objects and schemas and returns objects; it knows no store, no request and no
 * clock. Defaulting, pruning of unknown fields and validation are not done here.
 */
export type { ApplyRequest, ConfigurationResult } from "./apply-configuration.ts";
export { applyConfiguration } from "./apply-configuration.ts";
export type { UpdateRequest } from "./update-owners.ts";
export { updateManagers } from "./update-owners.ts";
export type { VersionedKind } from "./object-versions.ts";
export type { Conflict } from "./conflicts.ts";
export { formatConflicts } from "./conflicts.ts";
export { FieldSet, fieldSetOf } from "./field-set.ts";
export { decodeFieldsV1, encodeFieldsV1 } from "./fields-v1.ts";
export type { PathElement } from "./path-element.ts";
export { formatPath } from "./path-element.ts";
export { isApplied } from "./is-applied.ts";
export { keepTimestamps } from "./keep-timestamps.ts";
export { lastAppliedAnnotation } from "./last-applied.ts";
export { resetFieldsOf } from "./reset-fields.ts";
export type { ReplicasPaths } from "./scale-owners.ts";
export { ownersAfterScale, ownersOfScale } from "./scale-owners.ts";
export type { FieldComparison } from "./compare-values.ts";
export { compareValues } from "./compare-values.ts";
export { mergeValues } from "./merge-values.ts";
export { extractItems, removeItems } from "./remove-items.ts";
export { takenOver } from "./taken-over.ts";
export { toFieldSet } from "./to-field-set.ts";
export type { TypeNode } from "./type-node.ts";
export { typeNodeOf } from "./type-node.ts";
export { equalValues } from "../json/index.ts";
