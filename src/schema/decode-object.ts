import { type JsonObject, setField, isJsonObject } from "../json/index.ts";
import { applyDefaults } from "./apply-defaults.ts";
import { setBuiltinDefaults } from "./builtin-defaults/index.ts";
import { objectMetaSchema } from "./crd-schema.ts";
import { normalise } from "./normalise.ts";
import { pruneUnknown } from "./prune-unknown.ts";
import type { Schema } from "./schema.ts";

export interface DecodedObject {
  /** Pruned, normalised and defaulted: as the server holds it before it validates. */
  readonly object: JsonObject;
  /** Paths of fields that were dropped because no schema knows them. */
  readonly unknownFields: readonly string[];
  /** Why the object cannot be read at all; the object is then of no use. */
  readonly problems: readonly string[];
}

/** What the server makes of an object of some kind before it looks at what it says. */
export function decodeObject(schema: Schema, sent: JsonObject): DecodedObject {
  const { value, unknownFields } = pruneUnknown(schema, sent);
  return schema.name === undefined
    ? decodeCustom(schema, value, unknownFields)
    : decodeBuiltin(schema, value, unknownFields);
}

function decodeBuiltin(
  schema: Schema,
  sent: JsonObject,
  unknownFields: readonly string[],
): DecodedObject {
  const { object, problems } = normalise(schema, sent);
  if (schema.name === "io.k8s.api.core.v1.Secret") encodeStringData(object);
  setBuiltinDefaults(schema, object);
  return { object, unknownFields, problems };
}

function decodeCustom(
  schema: Schema,
  sent: JsonObject,
  unknownFields: readonly string[],
): DecodedObject {
  const object = applyDefaults(schema, sent);
  const { metadata } = object;
  if (typeof metadata !== "object" || metadata === null || Array.isArray(metadata)) {
    return { object, unknownFields, problems: [] };
  }
  const { object: normal, problems } = normalise(objectMetaSchema(), metadata);
  return { object: { ...object, metadata: normal }, unknownFields, problems };
}

/** A Secret may be written in plain text; it is stored encoded, and plain text wins. */
function encodeStringData(secret: JsonObject): void {
  const { stringData, data } = secret;
  if (typeof stringData !== "object" || stringData === null || Array.isArray(stringData)) return;
  const encoded: JsonObject = { ...(isJsonObject(data) ? data : {}) };
  for (const [key, text] of Object.entries(stringData)) {
    if (typeof text === "string")
      setField(encoded, key, Buffer.from(text, "utf8").toString("base64"));
  }
  delete secret["stringData"];
  secret["data"] = encoded;
}
