import type { ManagedFieldsEntry } from "../objects/index.ts";
import type { FieldSet } from "./field-set.ts";
import { decodeFieldsV1, encodeFieldsV1 } from "./fields-v1.ts";

/** Who owns a set of fields, and since when. */
export interface FieldOwner {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly subresource: string;
  /** The version in which the paths of the set are meant. */
  readonly apiVersion: string;
  readonly set: FieldSet;
  readonly time?: string;
}

/** Owners by their identity. */
export type FieldOwners = Map<string, FieldOwner>;

/**
 * What makes two entries one owner. An applier is the same in every version; an updater is one
 * owner for each version.
 */
export function fieldOwnerKey(
  owner: Pick<FieldOwner, "manager" | "operation" | "apiVersion" | "subresource">,
): string {
  const { manager, operation, apiVersion, subresource } = owner;
  // The order of these texts is the order in which conflicts are told.
  const name = manager === "" ? "" : `"manager":${JSON.stringify(manager)},`;
  const version = operation === "Apply" ? "" : `,"apiVersion":${JSON.stringify(apiVersion)}`;
  const part = subresource === "" ? "" : `,"subresource":${JSON.stringify(subresource)}`;
  return `{${name}"operation":"${operation}"${version}${part}}`;
}

/** Reads managedFields; a message when they are malformed. */
export function decodeOwners(entries: readonly ManagedFieldsEntry[]): FieldOwners | string {
  const owners: FieldOwners = new Map();
  for (const [index, entry] of entries.entries()) {
    const { operation, apiVersion, fieldsType } = entry;
    if (operation !== "Apply" && operation !== "Update") {
      return "operation must be `Apply` or `Update`";
    }
    if (apiVersion === undefined || apiVersion === "") return "apiVersion must not be empty";
    if (fieldsType === undefined || fieldsType === "") {
      return `missing fieldsType in managed fields entry ${index}`;
    }
    if (fieldsType !== "FieldsV1") {
      return `invalid fieldsType ${JSON.stringify(fieldsType)} in managed fields entry ${index}`;
    }
    const set = decodeFieldsV1(entry.fieldsV1);
    if (set === undefined) return `error decoding set in managed fields entry ${index}`;
    const owner: FieldOwner = {
      manager: entry.manager ?? "",
      operation,
      subresource: entry.subresource ?? "",
      apiVersion,
      set,
      ...(entry.time === undefined ? {} : { time: entry.time }),
    };
    owners.set(fieldOwnerKey(owner), owner);
  }
  return owners;
}

/** Writes managedFields in the server's order; undefined when nobody owns anything. */
export function encodeOwners(owners: FieldOwners): readonly ManagedFieldsEntry[] | undefined {
  if (owners.size === 0) return undefined;
  return [...owners.values()].sort(compareOwners).map((owner) => ({
    ...(owner.manager === "" ? {} : { manager: owner.manager }),
    operation: owner.operation,
    apiVersion: owner.apiVersion,
    ...(owner.time === undefined ? {} : { time: owner.time }),
    fieldsType: "FieldsV1",
    fieldsV1: encodeFieldsV1(owner.set),
    ...(owner.subresource === "" ? {} : { subresource: owner.subresource }),
  }));
}

/** The seconds since the epoch; an owner without a time is older than all others. */
export function secondsOf(time: string | undefined): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000);
}

function compareOwners(left: FieldOwner, right: FieldOwner): number {
  return (
    compareText(left.operation, right.operation) ||
    secondsOf(left.time) - secondsOf(right.time) ||
    compareText(left.manager, right.manager) ||
    compareText(left.apiVersion, right.apiVersion) ||
    compareText(left.subresource, right.subresource)
  );
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
