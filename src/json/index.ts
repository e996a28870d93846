/**
 * JSON values: their types, parsing and printing without losing digits, fields by path, equality.
 *
 * This folder knows nothing else: no Kubernetes, no diagnostics.
 */
export type { JsonArray, JsonObject, JsonValue } from "./json.ts";
export { asObject, isJsonObject, parseJson, stringifyJson } from "./json.ts";
export { fieldAt, objectAt, objectsAt, objectsIn, withFieldAt } from "./field-at.ts";
export { changedKeys } from "./changed-keys.ts";
export { equalValues } from "./equal-values.ts";
export { ownField, setField } from "./set-field.ts";
