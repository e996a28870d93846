import { isJsonObject, type JsonObject, type JsonValue } from "../json/index.ts";
import type { ManagedFieldsEntry } from "../objects/index.ts";
import { type FieldOwner, fieldOwnerKey, type FieldOwners } from "./field-owners.ts";
import { fieldSetOf } from "./field-set.ts";

export function metadataOf(object: JsonObject): JsonObject {
  const metadata = object["metadata"];
  return isJsonObject(metadata) ? metadata : {};
}

export function managedFieldsOf(object: JsonObject): readonly ManagedFieldsEntry[] {
  const entries = metadataOf(object)["managedFields"];
  return Array.isArray(entries) ? entries.filter((each) => isJsonObject(each)) : [];
}

/** The object without managedFields, which are no fields to own. */
export function withoutManagedFields(object: JsonObject): JsonObject {
  const metadata = object["metadata"];
  if (!isJsonObject(metadata) || !Object.hasOwn(metadata, "managedFields")) return object;
  const { managedFields: _dropped, ...rest } = metadata;
  return { ...object, metadata: rest };
}

export function withManagedFields(
  object: JsonObject,
  entries: readonly ManagedFieldsEntry[] | undefined,
): JsonObject {
  const bare = withoutManagedFields(object);
  if (entries === undefined) return bare;
  const managedFields = entries as unknown as JsonValue;
  return { ...bare, metadata: { ...metadataOf(bare), managedFields } };
}

/** Fields that say which object it is or that the server sets: nobody owns them. */
const identityFields = fieldSetOf(
  ["f:apiVersion"],
  ["f:kind"],
  ["f:metadata"],
  ...[
    "name",
    "namespace",
    "creationTimestamp",
    "selfLink",
    "uid",
    "clusterName",
    "generation",
    "managedFields",
    "resourceVersion",
  ].map((name) => ["f:metadata", `f:${name}`]),
);

/** Takes the fields that nobody owns from the owner that just wrote. */
export function stripIdentity(owners: FieldOwners, key: string): void {
  const owner = owners.get(key);
  if (owner === undefined) return;
  const set = owner.set.difference(identityFields);
  if (set.isEmpty) owners.delete(key);
  else owners.set(key, { ...owner, set });
}

/** A writer that owns nothing yet; a request without a name for it is `unknown`. */
export function fieldWriter(
  manager: string,
  operation: FieldOwner["operation"],
  apiVersion: string,
  subresource: string | undefined,
): Pick<FieldOwner, "manager" | "operation" | "apiVersion" | "subresource"> & { key: string } {
  const writer = {
    manager: manager === "" ? "unknown" : manager,
    operation,
    apiVersion,
    subresource: subresource ?? "",
  };
  return { ...writer, key: fieldOwnerKey(writer) };
}
