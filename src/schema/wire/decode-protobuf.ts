import { type JsonObject, type JsonValue, setField } from "../../json/index.ts";
import { splitApiVersion } from "../../objects/api-version.ts";
import { builtinSchemas } from "../builtin-schemas.ts";
import type { Schema } from "../schema.ts";
import { decodeScalar, decodeWireText } from "./decode-scalar.ts";
import { readFields, readPacked, WireError, type WireValue } from "./wire-reader.ts";
import { loadWireTables, type WireTables } from "./wire-tables.ts";

const magic = [0x6b, 0x38, 0x73, 0x00];
/** Deeper nesting than any kind has by itself; only schemas of definitions go on without end. */
const deepest = 200;
const metaPackage = "io.k8s.apimachinery.pkg.apis.meta.v1.";
const definitionsPackage = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.";

export { WireError };

/**
 * An object of a built-in kind from the protobuf form in which Go clients send it, as JSON. Throws a
 * WireError for anything else.
 */
export async function decodeProtobuf(bytes: Uint8Array): Promise<JsonObject> {
  if (!magic.every((byte, index) => bytes[index] === byte)) {
    throw new WireError(
      "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]",
    );
  }
  const { apiVersion, kind, raw } = readEnvelope(bytes.subarray(magic.length));
  const schema = schemaOf(apiVersion, kind);
  if (schema?.name === undefined) {
    throw new WireError(`no kind "${kind}" is registered for version "${apiVersion}"`);
  }
  const tables = await loadWireTables();
  const object = new Decoder(tables).message(schema, raw, schema.name, 0);
  return { kind, apiVersion, ...object };
}

interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
}

/** What every message is wrapped in: its kind, then its bytes. */
function readEnvelope(bytes: Uint8Array): Envelope {
  let apiVersion = "";
  let kind = "";
  let raw: Uint8Array = new Uint8Array();
  for (const { number, value } of readFields(bytes)) {
    if (value.kind !== "bytes") continue;
    if (number === 2) raw = value.bytes;
    if (number !== 1) continue;
    for (const part of readFields(value.bytes)) {
      if (part.number === 1) apiVersion = decodeWireText(part.value);
      if (part.number === 2) kind = decodeWireText(part.value);
    }
  }
  return { apiVersion, kind, raw };
}

function schemaOf(apiVersion: string, kind: string): Schema | undefined {
  const schemas = builtinSchemas();
  const { group, version } = splitApiVersion(apiVersion);
  // Options are sent under the version of whatever they are options for.
  return schemas.get({ group, version, kind }) ?? schemas.definition(`${metaPackage}${kind}`);
}

class Decoder {
  readonly #tables: WireTables;

  constructor(tables: WireTables) {
    this.#tables = tables;
  }

  message(schema: Schema, bytes: Uint8Array, name: string, depth: number): JsonObject {
    if (depth > deepest) throw new WireError("proto: the message is nested too deeply");
    const object: JsonObject = {};
    this.#read(object, schema, bytes, name, depth);
    return object;
  }

  #read(object: JsonObject, schema: Schema, bytes: Uint8Array, name: string, depth: number): void {
    const fields = this.#tables.get(name);
    for (const { number, value } of readFields(bytes)) {
      const field = fields?.get(number);
      if (field === undefined) continue;
      if (field.startsWith("^")) {
        if (value.kind === "bytes") this.#read(object, schema, value.bytes, field.slice(1), depth);
        continue;
      }
      const property = schema.properties?.get(field);
      if (property !== undefined) this.#field(object, field, property, value, depth);
    }
  }

  #field(object: JsonObject, key: string, schema: Schema, value: WireValue, depth: number): void {
    if (schema.type === "array" && schema.items !== undefined) {
      const { items } = schema;
      const list = (object[key] ??= []) as JsonValue[];
      if (value.kind === "bytes" && (items.type === "integer" || items.type === "boolean")) {
        for (const each of readPacked(value.bytes)) {
          list.push(decodeScalar(items, { kind: "varint", value: each }));
        }
      } else list.push(this.#value(items, value, depth));
      return;
    }
    if (typeof schema.additionalProperties === "object") {
      const map = (object[key] ??= {}) as JsonObject;
      const [entryKey, entryValue] = this.#entry(schema.additionalProperties, value, depth);
      setField(map, entryKey, entryValue);
      return;
    }
    const decoded = this.#value(schema, value, depth);
    if (decoded === null || (schema.presence === "optional" && isZero(decoded))) return;
    object[key] = decoded;
  }

  #entry(schema: Schema, value: WireValue, depth: number): readonly [string, JsonValue] {
    let key = "";
    let found: JsonValue | undefined;
    for (const part of readFields(bytesOf(value))) {
      if (part.number === 1) key = decodeWireText(part.value);
      if (part.number === 2) found = this.#mapValue(schema, part.value, depth);
    }
    return [
      key,
      found ?? this.#mapValue(schema, { kind: "bytes", bytes: new Uint8Array() }, depth),
    ];
  }

  /** A list in a map is wrapped in a message of its own, because protobuf has no such thing. */
  #mapValue(schema: Schema, value: WireValue, depth: number): JsonValue {
    if (schema.type !== "array" || schema.items === undefined) {
      return this.#value(schema, value, depth);
    }
    const { items } = schema;
    return [...readFields(bytesOf(value))].map((part) => this.#value(items, part.value, depth));
  }

  #value(schema: Schema, value: WireValue, depth: number): JsonValue {
    const { name } = schema;
    if (name?.startsWith(`${definitionsPackage}JSON`) === true) {
      return this.#schemaPart(name.slice(definitionsPackage.length), value, depth);
    }
    if (schema.properties !== undefined && name !== undefined) {
      return this.message(schema, bytesOf(value), name, depth + 1);
    }
    return decodeScalar(schema, value);
  }

  /** The types of a definition's schema that are one of several things in JSON. */
  #schemaPart(type: string, value: WireValue, depth: number): JsonValue {
    const name = `${definitionsPackage}JSONSchemaProps`;
    const props = builtinSchemas().definition(name) ?? {};
    const read = (part: WireValue): JsonObject =>
      this.message(props, bytesOf(part), name, depth + 1);
    if (type === "JSONSchemaProps") return read(value);
    if (type === "JSON") return decodeScalar({ format: "raw" }, value);
    const parts = [...readFields(bytesOf(value))];
    if (type === "JSONSchemaPropsOrBool") {
      const schema = parts.find(({ number }) => number === 2);
      if (schema !== undefined) return read(schema.value);
      const allows = parts.find(({ number }) => number === 1)?.value;
      return allows?.kind === "varint" && allows.value !== 0n;
    }
    const one = parts.find(({ number }) => number === 1);
    if (one !== undefined) return read(one.value);
    const rest = parts.filter(({ number }) => number === 2);
    return rest.map((part) =>
      type === "JSONSchemaPropsOrArray" ? read(part.value) : decodeWireText(part.value),
    );
  }
}

/** Go encoders write plain fields even when they are empty. */
function isZero(value: JsonValue): boolean {
  return value === "" || value === 0 || value === false;
}

function bytesOf(value: WireValue): Uint8Array {
  if (value.kind !== "bytes") throw new WireError("proto: wrong wireType for a message");
  return value.bytes;
}
