import { equalValues } from "../objects/equal-values.ts";
import type { JsonObject } from "../objects/json.ts";
import { managedFieldsOf, withManagedFields, withoutManagedFields } from "./written-object.ts";

/**
 * Takes the old times of managedFields when a write changed nothing else, so that it is no write at
 * all. Both objects must be as they would be stored.
 */
export function keepTimestamps(live: JsonObject, written: JsonObject): JsonObject {
  const before = managedFieldsOf(live);
  const after = managedFieldsOf(written);
  if (before.length !== after.length || after.length === 0) return written;
  const isSame = after.every((entry, index) => {
    const { time: _after, ...rest } = entry;
    const { time: _before, ...previous } = before[index] ?? {};
    return equalValues({ ...rest }, { ...previous });
  });
  if (!isSame) return written;
  if (!equalValues(withoutManagedFields(live), withoutManagedFields(written))) return written;
  return withManagedFields(written, before);
}
