import { isJsonObject, type JsonObject, type JsonValue } from "../json/index.ts";
import type { FieldOwner, FieldOwners } from "./field-owners.ts";
import { FieldSet } from "./field-set.ts";
import { objectInVersion, typeAt, type VersionedKind } from "./object-versions.ts";
import { removeItems } from "./remove-items.ts";
import { toFieldSet } from "./to-field-set.ts";
import type { TypeNode } from "./type-node.ts";

/**
 * Removes a field or item when the applier applied it last time, no longer does, and nobody else
 * owns it. Fields without an owner that merely lie inside stay.
 */
export function pruneAbandoned(
  kind: VersionedKind,
  merged: JsonObject,
  owners: FieldOwners,
  applied: FieldSet,
  last: FieldOwner | undefined,
): JsonObject {
  if (last === undefined || last.set.isEmpty) return merged;
  // Most applies mention all that they did before.
  if (last.apiVersion === kind.apiVersion && last.set.difference(applied).isEmpty) return merged;
  const type = typeAt(kind, last.apiVersion);
  if (type === undefined) return merged;
  const converted = objectInVersion(kind, merged, last.apiVersion);
  const lastFields = last.set.ensureNamedFieldsAreMembers(type);
  const removed = objectOr(removeItems(type, converted, lastFields), converted);
  const kept = addBackOwned(kind, converted, removed, last.apiVersion, owners);
  const keptHere = objectInVersion(kind, kept, last.apiVersion);
  const mergedSet = namedFields(type, converted);
  const gone = mergedSet.difference(namedFields(type, keptHere)).intersection(lastFields);
  const pruned = objectOr(removeItems(type, converted, gone), converted);
  return objectInVersion(kind, pruned, kind.apiVersion);
}

/** Puts back whatever some owner claims, version by version, that of the removal first. */
function addBackOwned(
  kind: VersionedKind,
  merged: JsonObject,
  pruned: JsonObject,
  firstVersion: string,
  owners: FieldOwners,
): JsonObject {
  const owned = new Map<string, FieldSet>();
  for (const { apiVersion, set } of owners.values()) {
    owned.set(apiVersion, (owned.get(apiVersion) ?? new FieldSet()).union(set));
  }
  const versions = [...owned.keys()].sort(
    (left, right) => Number(right === firstVersion) - Number(left === firstVersion),
  );
  let result = pruned;
  for (const version of versions) {
    const type = typeAt(kind, version);
    const set = owned.get(version);
    if (type === undefined || set === undefined) continue;
    const mergedHere = objectInVersion(kind, merged, version);
    const prunedSet = namedFields(type, objectInVersion(kind, result, version));
    const keep = prunedSet.union(set.ensureNamedFieldsAreMembers(type));
    const gone = namedFields(type, mergedHere).difference(keep);
    result = objectOr(removeItems(type, mergedHere, gone), mergedHere);
  }
  return result;
}

function namedFields(type: TypeNode, object: JsonObject): FieldSet {
  return toFieldSet(type, object).ensureNamedFieldsAreMembers(type);
}

function objectOr(value: JsonValue, otherwise: JsonObject): JsonObject {
  return isJsonObject(value) ? value : { ...otherwise };
}
