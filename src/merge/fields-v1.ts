import { isJsonObject, type JsonObject, type JsonValue } from "../json/index.ts";
import { FieldSet, sorted } from "./field-set.ts";
import { readElement } from "./path-element.ts";

/** The `fieldsV1` of a managedFields entry, with its keys in the server's order. */
export function encodeFieldsV1(set: FieldSet): JsonObject {
  if (set.encoded !== undefined) return set.encoded;
  const fields = encodeLevel(set, false);
  set.encoded = fields;
  decoded.set(fields, set);
  return fields;
}

/** Reads a `fieldsV1`; undefined when it is malformed. Steps of unknown kinds are dropped. */
export function decodeFieldsV1(fields: JsonValue | undefined): FieldSet | undefined {
  if (fields === undefined) return new FieldSet();
  if (!isJsonObject(fields)) return undefined;
  const known = decoded.get(fields);
  if (known !== undefined) return known;
  const set = decodeLevel(fields);
  if (set !== undefined) decoded.set(fields, set);
  return set;
}

// Most entries of an object pass through a write unchanged; neither direction is done twice.
const decoded = new WeakMap<JsonObject, FieldSet>();

function encodeLevel(set: FieldSet, isMember: boolean): JsonObject {
  const fields: JsonObject = {};
  if (isMember && (set.members.size > 0 || set.children.size > 0)) fields["."] = nothing;
  for (const element of sorted(set.steps())) {
    const child = set.children.get(element);
    fields[element] = child === undefined ? nothing : encodePart(child, set.members.has(element));
  }
  return fields;
}

const nothing: JsonObject = Object.freeze({});

/** Sets that follow each other share what did not change, and with it what it reads as. */
function encodePart(set: FieldSet, isMember: boolean): JsonObject {
  if (!isMember) return (set.encoded ??= encodeLevel(set, false));
  return (set.encodedAsMember ??= encodeLevel(set, true));
}

function decodeLevel(fields: JsonObject): FieldSet | undefined {
  const set = new FieldSet();
  for (const [key, below] of Object.entries(fields)) {
    if (key === ".") continue;
    if (!isJsonObject(below) || key.charAt(1) !== ":") return undefined;
    const element = readElement(key);
    if (element === undefined) {
      if ("fkvi".includes(key.charAt(0))) return undefined;
      continue;
    }
    const keys = Object.keys(below);
    if (keys.length === 0 || below["."] !== undefined) set.members.add(element);
    if (keys.length === 0 || (keys.length === 1 && keys[0] === ".")) continue;
    const child = decodeLevel(below);
    if (child === undefined) return undefined;
    set.children.set(element, child);
  }
  return set;
}
