import type { ManagedFieldsEntry } from "../objects/index.ts";
import type { JsonObject } from "../json/index.ts";
import { updateFields } from "./assign-fields.ts";
import { capUpdaters } from "./cap-updaters.ts";
import { decodeOwners, encodeOwners, type FieldOwners } from "./field-owners.ts";
import type { VersionedKind } from "./object-versions.ts";
import {
  managedFieldsOf,
  metadataOf,
  stripIdentity,
  withManagedFields,
  withoutManagedFields,
  fieldWriter,
} from "./written-object.ts";

export interface UpdateRequest extends VersionedKind {
  /** The stored object; for a create, the kind with nothing set. */
  readonly live: JsonObject;
  /** The object that is to be stored, complete and defaulted. */
  readonly updated: JsonObject;
  readonly manager: string;
  readonly subresource?: string;
  readonly now: string;
}

/**
 * Finds the owners after a create, an update or a patch. The result is `updated` with the
 * managedFields to store; none when ownership of this object is not tracked.
 */
export function updateManagers(request: UpdateRequest): {
  readonly object: JsonObject;
  readonly managedFields: readonly ManagedFieldsEntry[];
} {
  const live = withoutManagedFields(request.live);
  const updated = withoutManagedFields(request.updated);
  const owners = previousOwners(request);
  // Once managedFields have been cleared, they stay so until the next apply.
  const isCreate = metadataOf(live)["uid"] === undefined;
  if (owners.size === 0 && !isCreate) return { object: updated, managedFields: [] };
  const entries = encodeOwners(writtenBy(request, live, updated, owners));
  return { object: withManagedFields(updated, entries), managedFields: entries ?? [] };
}

/** A client may send managedFields with an object; nonsense or nothing leaves those that are there. */
function previousOwners({ live, updated, subresource }: UpdateRequest): FieldOwners {
  const fromLive = (): FieldOwners => {
    const owners = decodeOwners(managedFieldsOf(live));
    return typeof owners === "string" ? new Map() : owners;
  };
  if (subresource !== undefined && subresource !== "") return fromLive();
  const sent = metadataOf(updated)["managedFields"];
  if (!Array.isArray(sent)) return fromLive();
  const entries = managedFieldsOf(updated);
  const isCleared =
    sent.length === 0 || (sent.length === 1 && Object.keys(entries[0] ?? {}).length === 0);
  if (isCleared) return new Map();
  const owners = decodeOwners(entries);
  return typeof owners === "string" || owners.size === 0 ? fromLive() : owners;
}

function writtenBy(
  request: UpdateRequest,
  live: JsonObject,
  updated: JsonObject,
  before: FieldOwners,
): FieldOwners {
  const { apiVersion, subresource, now } = request;
  const writer = fieldWriter(request.manager, "Update", apiVersion, subresource);
  // The write is first somebody else's, so that it shows whether anything changed at all.
  const current = fieldWriter("current-operation", "Update", apiVersion, subresource);
  const owners = updateFields(request, live, updated, before, current);
  stripIdentity(owners, current.key);
  const written = owners.get(current.key);
  if (written !== undefined) {
    owners.delete(current.key);
    const previous = owners.get(writer.key);
    const { key, ...identity } = writer;
    const set = previous === undefined ? written.set : written.set.union(previous.set);
    set.reconciledWith ??= written.set.reconciledWith;
    owners.set(key, { ...identity, set, time: now });
  }
  capUpdaters(owners);
  return owners;
}
