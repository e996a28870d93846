import { type JsonObject, type JsonValue, objectAt } from "../../json/index.ts";

/**
 * Fills in what the server would for one struct, in place: the object is a private, normalised copy.
 * Parents are visited before what lies in them.
 */
export type TypeDefaults = (object: JsonObject) => void;

/** Defaults by the type they belong to: the definition name without `io.k8s.api.`. */
export type DefaultsByType = Readonly<Record<string, TypeDefaults>>;

/** Sets a field that is not set; an empty string in a field that is always written is not set. */
export function setDefault(object: JsonObject, key: string, value: JsonValue): void {
  const current = object[key];
  if (current === undefined || current === null || current === "") object[key] = value;
}

/** The object at a key, made when it is not there. */
export function ensureObject(object: JsonObject, key: string): JsonObject {
  const known = objectAt(object, key);
  if (known !== undefined) return known;
  const made: JsonObject = {};
  object[key] = made;
  return made;
}

export function isSet(object: JsonObject, key: string): boolean {
  const value = object[key];
  return value !== undefined && value !== null;
}

/** Zero is not set: these fields must be positive. */
export function setNumber(object: JsonObject, key: string, value: number): void {
  if (object[key] === 0) delete object[key];
  setDefault(object, key, value);
}
