import { equalValues, type JsonObject, type JsonValue, isJsonObject } from "../json/index.ts";
import { canonicalQuantity } from "../schema/index.ts";
import { itemElementOrNone } from "./list-item.ts";
import type { ListType, MapType, TypeNode } from "./type-node.ts";
import { formOf, resolveForm } from "./typed-form.ts";
import { managedFieldsOf } from "./written-object.ts";

/**
 * Whether a configuration stands in an object exactly as this manager applied it: the same fields, each
 * with the same value. Then applying it again changes nothing.
 *
 * This is a walk along the configuration, many times cheaper than the merge itself. It answers false
 * wherever it would have to think: about nulls, other notations of a value, items of others in a list.
 */
export function isApplied(
  type: TypeNode,
  wanted: JsonObject,
  live: JsonObject,
  manager: string,
): boolean {
  const fields = ownFields(live, manager, wanted["apiVersion"]);
  if (fields === undefined || type.map === undefined || Object.hasOwn(wanted, "status"))
    return false;
  let left = Object.keys(fields).length;
  for (const key of Object.keys(wanted)) {
    if (key === "apiVersion" || key === "kind") {
      if (wanted[key] !== live[key]) return false;
    } else if (key === "metadata") {
      const own = fields["f:metadata"];
      const metadataType = type.map.fields.get(key)?.type.map;
      if (own !== undefined) left--;
      if (!isMetadataApplied(metadataType, wanted[key], live[key], own)) return false;
    } else {
      left--;
      if (!isEntryApplied(type.map, key, wanted, live, fields)) return false;
    }
  }
  return left === 0;
}

/** What the server records of our applies; undefined without exactly one such record. */
function ownFields(
  live: JsonObject,
  manager: string,
  apiVersion: JsonValue | undefined,
): JsonObject | undefined {
  const [only, ...others] = managedFieldsOf(live).filter(
    (entry) =>
      entry.manager === manager && entry.operation === "Apply" && (entry.subresource ?? "") === "",
  );
  if (only === undefined || others.length > 0 || only.apiVersion !== apiVersion) return undefined;
  return isJsonObject(only.fieldsV1) ? only.fieldsV1 : undefined;
}

const ownable = ["labels", "annotations", "finalizers", "ownerReferences"];

/** Name and namespace say which object it is; all else that is not listed, the server decides on. */
function isMetadataApplied(
  type: MapType | undefined,
  wanted: JsonValue | undefined,
  live: JsonValue | undefined,
  fields: JsonValue | undefined,
): boolean {
  if (type === undefined || !isJsonObject(wanted) || !isJsonObject(live)) return false;
  const own = isJsonObject(fields) ? fields : {};
  let left = Object.keys(own).length;
  for (const key of Object.keys(wanted)) {
    if (key === "name" || key === "namespace") {
      if (wanted[key] !== live[key]) return false;
    } else {
      left--;
      if (!ownable.includes(key) || !isEntryApplied(type, key, wanted, live, own)) return false;
    }
  }
  return left === 0;
}

function isEntryApplied(
  type: MapType,
  key: string,
  wanted: JsonObject,
  live: JsonObject,
  fields: JsonObject,
): boolean {
  const value = wanted[key];
  const field = type.fields.get(key);
  const child = field?.type ?? type.element;
  if (child === undefined || value === undefined || !Object.hasOwn(live, key)) return false;
  return isValueApplied(child, value, live[key], fields[`f:${key}`], field === undefined);
}

/** `isMember`: whether the place itself has an owner, as items and free entries do, besides what is in it. */
function isValueApplied(
  type: TypeNode,
  wanted: JsonValue,
  live: JsonValue | undefined,
  fields: JsonValue | undefined,
  isMember: boolean,
): boolean {
  if (wanted === null || !isJsonObject(fields)) return false;
  switch (resolveForm(type, formOf(type, wanted))) {
    case "scalar":
      return isEmpty(fields) && (wanted === live || isSameQuantity(type, wanted, live));
    case "map":
      if (type.map === undefined || !isJsonObject(wanted) || !isJsonObject(live)) return false;
      return type.map.isAtomic
        ? isEmpty(fields) && equalValues(wanted, live)
        : isMapApplied(type.map, wanted, live, fields, isMember);
    case "list":
      if (type.list === undefined || !Array.isArray(wanted) || !Array.isArray(live)) return false;
      return type.list.isAtomic
        ? isEmpty(fields) && equalValues(wanted, live)
        : isListApplied(type.list, wanted, live, fields, isMember);
    case undefined:
      return false;
  }
}

function isMapApplied(
  type: MapType,
  wanted: JsonObject,
  live: JsonObject,
  fields: JsonObject,
  isMember: boolean,
): boolean {
  const keys = Object.keys(wanted);
  if (keys.length === 0 || !hasExactly(fields, keys.length, isMember)) return false;
  return keys.every((key) => isEntryApplied(type, key, wanted, live, fields));
}

/** Items of others, or another order, need the merge. */
function isListApplied(
  type: ListType,
  wanted: readonly JsonValue[],
  live: readonly JsonValue[],
  fields: JsonObject,
  isMember: boolean,
): boolean {
  if (wanted.length === 0 || wanted.length !== live.length) return false;
  if (!hasExactly(fields, wanted.length, isMember)) return false;
  const seen = new Set<string>();
  return wanted.every((item, index) => {
    const found = live[index];
    const element = itemElementOrNone(type, item);
    if (element === undefined || found === undefined || seen.has(element)) return false;
    seen.add(element);
    return (
      itemElementOrNone(type, found) === element &&
      isValueApplied(type.element, item, found, fields[element], true)
    );
  });
}

/** The server keeps quantities in one notation; here the other ones that people write are known. */
function isSameQuantity(type: TypeNode, wanted: JsonValue, live: JsonValue | undefined): boolean {
  if (type.isQuantity !== true || (typeof wanted !== "string" && typeof wanted !== "number"))
    return false;
  return canonicalQuantity(String(wanted)) === live;
}

function isEmpty(fields: JsonObject): boolean {
  for (const _key in fields) return false;
  return true;
}

/** So many entries, and the dot that marks a place that is owned itself, or not. */
function hasExactly(fields: JsonObject, count: number, isMember: boolean): boolean {
  const hasDot = Object.hasOwn(fields, ".");
  return hasDot === isMember && Object.keys(fields).length === count + (hasDot ? 1 : 0);
}
