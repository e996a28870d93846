import { equalValues, type JsonObject, type JsonValue, isJsonObject } from "../json/index.ts";
import { compareValues, type FieldComparison, withoutFields } from "./compare-values.ts";
import { type Conflict, conflictsOf } from "./conflicts.ts";
import { type FieldOwner, fieldOwnerKey, type FieldOwners } from "./field-owners.ts";
import { FieldSet } from "./field-set.ts";
import { mergeValues } from "./merge-values.ts";
import { objectInVersion, typeAt, type VersionedKind } from "./object-versions.ts";
import { pruneAbandoned } from "./prune-abandoned.ts";
import { reconcileFields } from "./reconcile-fields.ts";
import { toFieldSet } from "./to-field-set.ts";
import { typeNodeOf } from "./type-node.ts";

/** The writer of this request, as an owner whose fields are still to be found. */
export type Writer = Pick<FieldOwner, "manager" | "operation" | "apiVersion" | "subresource">;

export type AppliedFields =
  | {
      readonly kind: "applied";
      readonly owners: FieldOwners;
      /** Absent when the object stays as it is. */
      readonly object?: JsonObject;
    }
  | { readonly kind: "conflicts"; readonly conflicts: readonly Conflict[] };

/**
 * Server-side apply: lays the configuration over the live object, removes what the applier applied
 * before and no longer does, and gives it the fields it mentions. Whoever else owns a field that
 * would change is a conflict, or with `force` loses it.
 */
export function applyFields(
  kind: VersionedKind,
  live: JsonObject,
  applied: JsonObject,
  before: FieldOwners,
  writer: Writer,
  force: boolean,
): AppliedFields {
  const type = typeNodeOf(kind.schema);
  const owners = reconcileOwners(kind, before);
  const key = fieldOwnerKey(writer);
  const last = owners.get(key);
  const mentioned = toFieldSet(type, applied);
  const reset = kind.resetFields?.get(kind.apiVersion);
  const set = reset === undefined ? mentioned : mentioned.recursiveDifference(reset);
  owners.set(key, { ...writer, set, ...timeOf(last) });
  const merged = asLiveObject(mergeValues(type, live, applied), live);
  const object = pruneAbandoned(kind, merged, owners, set, last);
  const taken = takeFields(kind, live, object, owners, key, force);
  if (taken.kind === "conflicts") return taken;
  return equalValues(live, object)
    ? { kind: "applied", owners: taken.owners }
    : { kind: "applied", owners: taken.owners, object };
}

/** Any other write: whatever it changed belongs to the writer, and what it removed to nobody. */
export function updateFields(
  kind: VersionedKind,
  live: JsonObject,
  updated: JsonObject,
  before: FieldOwners,
  writer: Writer,
): FieldOwners {
  const owners = reconcileOwners(kind, before);
  const key = fieldOwnerKey(writer);
  const taken = takeFields(kind, live, updated, owners, key, true);
  // A forced write has no conflicts.
  if (taken.kind === "conflicts") return owners;
  const { comparison } = taken;
  const own = owners.get(key);
  const changed = (own?.set ?? new FieldSet())
    .difference(comparison.removed)
    .union(comparison.modified)
    .union(comparison.added);
  const reset = kind.resetFields?.get(kind.apiVersion);
  const set = reset === undefined ? changed : changed.recursiveDifference(reset);
  // What a comparison finds is in line with the schema that it was made by.
  set.reconciledWith ??= typeAt(kind, writer.apiVersion);
  if (set.isEmpty) owners.delete(key);
  else owners.set(key, { ...writer, set, ...timeOf(own) });
  return owners;
}

type TakenFields =
  | { readonly kind: "taken"; readonly owners: FieldOwners; readonly comparison: FieldComparison }
  | { readonly kind: "conflicts"; readonly conflicts: readonly Conflict[] };

/** Takes from all other owners what changes between two objects. */
function takeFields(
  kind: VersionedKind,
  oldObject: JsonObject,
  newObject: JsonObject,
  owners: FieldOwners,
  writerKey: string,
  force: boolean,
): TakenFields {
  const comparisons = new Map<string, FieldComparison>();
  const comparisonAt = (apiVersion: string): FieldComparison | undefined => {
    const known = comparisons.get(apiVersion);
    if (known !== undefined) return known;
    const type = typeAt(kind, apiVersion);
    if (type === undefined) return undefined;
    const left = objectInVersion(kind, oldObject, apiVersion);
    const right = objectInVersion(kind, newObject, apiVersion);
    const reset = kind.resetFields?.get(apiVersion);
    const comparison = withoutFields(compareValues(type, left, right), reset);
    comparisons.set(apiVersion, comparison);
    return comparison;
  };
  const conflicts = new Map<string, FieldSet>();
  const remaining = new Map<string, FieldOwner>();
  for (const [key, owner] of owners) {
    if (key === writerKey) continue;
    const comparison = comparisonAt(owner.apiVersion);
    if (comparison === undefined) {
      owners.delete(key);
      continue;
    }
    const changed = comparison.modified.union(comparison.added);
    const conflict = owner.set.intersection(changed);
    if (!conflict.isEmpty) conflicts.set(key, conflict);
    const set = owner.set.difference(conflict).difference(comparison.removed);
    // Less of what was in line with the schema is so, too.
    set.reconciledWith ??= owner.set.reconciledWith;
    remaining.set(key, set === owner.set ? owner : { ...owner, set });
  }
  if (!force && conflicts.size > 0) {
    return { kind: "conflicts", conflicts: conflictsOf(owners, conflicts) };
  }
  for (const [key, owner] of remaining) owners.set(key, owner);
  for (const [key, owner] of owners) if (owner.set.isEmpty) owners.delete(key);
  const comparison = comparisonAt(kind.apiVersion) ?? emptyComparison;
  return { kind: "taken", owners, comparison };
}

const emptyComparison: FieldComparison = {
  added: new FieldSet(),
  modified: new FieldSet(),
  removed: new FieldSet(),
};

/** Drops owners in versions that are gone; the others follow changes of the schema. */
function reconcileOwners(kind: VersionedKind, before: FieldOwners): FieldOwners {
  const owners: FieldOwners = new Map();
  for (const [key, owner] of before) {
    const type = typeAt(kind, owner.apiVersion);
    if (type === undefined) continue;
    const set = reconcileFields(owner.set, type);
    owners.set(key, set === owner.set ? owner : { ...owner, set });
  }
  return owners;
}

function asLiveObject(value: JsonValue | undefined, live: JsonObject): JsonObject {
  return isJsonObject(value) ? value : live;
}

function timeOf(owner: FieldOwner | undefined): Pick<FieldOwner, "time"> {
  return owner?.time === undefined ? {} : { time: owner.time };
}
