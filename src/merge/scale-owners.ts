import type { ManagedFieldsEntry } from "../objects/index.ts";
import {
  decodeOwners,
  encodeOwners,
  type FieldOwner,
  fieldOwnerKey,
  type FieldOwners,
} from "./field-owners.ts";
import { fieldSetOf } from "./field-set.ts";
import type { PathElement } from "./path-element.ts";

const scaleApiVersion = "autoscaling/v1";
const replicasInScale: readonly PathElement[] = ["f:spec", "f:replicas"];

/** Where a kind keeps its replicas, by apiVersion; null where a version has no scale. */
export type ReplicasPaths = ReadonlyMap<string, readonly PathElement[] | null>;

/** The owners of the Scale that an object shows: those that own its replicas. */
export function ownersOfScale(
  entries: readonly ManagedFieldsEntry[],
  paths: ReplicasPaths,
): readonly ManagedFieldsEntry[] {
  const owners: FieldOwners = new Map();
  for (const [key, owner] of decodeOr(entries)) {
    const path = paths.get(owner.apiVersion);
    if (path === undefined || path === null || !owner.set.has(path)) continue;
    owners.set(key, { ...owner, apiVersion: scaleApiVersion, set: fieldSetOf(replicasInScale) });
  }
  return encodeOwners(owners) ?? [];
}

/** The owners of an object after its Scale was written by those of `scaleEntries`. */
export function ownersAfterScale(
  entries: readonly ManagedFieldsEntry[],
  scaleEntries: readonly ManagedFieldsEntry[],
  paths: ReplicasPaths,
  apiVersion: string,
): readonly ManagedFieldsEntry[] {
  const scaleOwners = new Map(decodeOr(scaleEntries));
  const owners: FieldOwners = new Map();
  for (const [key, owner] of decodeOr(entries)) {
    const path = paths.get(owner.apiVersion);
    if (path === undefined) continue;
    if (path === null || !owner.set.has(path)) owners.set(key, owner);
    else if (takeScaleOwner(scaleOwners, owner, key)) owners.set(key, owner);
    else {
      const set = owner.set.difference(fieldSetOf(path));
      if (!set.isEmpty) owners.set(key, { ...owner, set });
    }
  }
  const path = paths.get(apiVersion);
  // Who writes through a scale is entered without a time, as a real server does it.
  for (const { time: _time, ...owner } of scaleOwners.values()) {
    if (path === undefined || path === null || !owner.set.has(replicasInScale)) continue;
    const scaled: FieldOwner = { ...owner, apiVersion, set: fieldSetOf(path) };
    owners.set(fieldOwnerKey(scaled), scaled);
  }
  return encodeOwners(owners) ?? [];
}

/** Whether an owner of the object still owns the replicas of the Scale; it is then dealt with. */
function takeScaleOwner(
  scaleOwners: Map<string, FieldOwner>,
  owner: FieldOwner,
  key: string,
): boolean {
  return (
    scaleOwners.delete(key) ||
    scaleOwners.delete(fieldOwnerKey({ ...owner, apiVersion: scaleApiVersion }))
  );
}

function decodeOr(entries: readonly ManagedFieldsEntry[]): FieldOwners {
  const owners = decodeOwners(entries);
  return typeof owners === "string" ? new Map() : owners;
}
