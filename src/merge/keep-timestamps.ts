import { equalValues, type JsonObject } from "../json/index.ts";
import { managedFieldsOf, withManagedFields, withoutManagedFields } from "./written-object.ts";

/**
 * Takes the old times of managedFields when a write changed nothing else, so that it is no write at
 * all. Both objects must be as they would be stored.
 */
export function keepTimestamps(live: JsonObject, written: JsonObject): JsonObject {
  const before = managedFieldsOf(live);
  const after = managedFieldsOf(written);
  if (before.length !== after.length || after.length === 0) return written;
  // A new time may have moved an entry: entries are compared by whose they are, not by their places.
  const known = before.map(({ time: _time, ...entry }) => entry);
  const isSame = after.every(({ time: _time, ...entry }) =>
    known.some((previous) => equalValues({ ...entry }, { ...previous })),
  );
  if (!isSame) return written;
  if (!equalValues(withoutManagedFields(live), withoutManagedFields(written))) return written;
  return withManagedFields(written, before);
}
