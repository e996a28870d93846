import type { JsonObject, JsonValue } from "../json/index.ts";
import type { Schema } from "../schema/index.ts";
import { celFailure } from "./evaluation-error.ts";
import { readDuration, readTimestamp } from "./read-time.ts";
import { fieldSchemas, findField, stringKinds } from "./schema-type.ts";
import { type CelValue, type ListIdentity, ListValue, type MapValue } from "./values.ts";

/** A JSON value as the expression sees it: by its schema, or by what it is where there is none. */
export function schemaValue(value: JsonValue, schema: Schema | undefined, name: string): CelValue {
  if (schema === undefined || schema.intOrString === true) return dynamicValue(value);
  if (value === null) {
    if (schema.nullable === true) return null;
    return celFailure("invalid data, got null for schema with nullable=false");
  }
  if (Array.isArray(value)) {
    const { items } = schema;
    return new ListValue(
      value.length,
      (index) => schemaValue(value[index] ?? null, items, `${name}.@idx`),
      identityOf(schema),
    );
  }
  if (typeof value === "object") {
    const { additionalProperties, type } = schema;
    if (typeof additionalProperties === "object") {
      return plainMap(value, (each) => schemaValue(each, additionalProperties, `${name}.@elem`));
    }
    return type === "object" ? objectValue(value, schema, name) : dynamicValue(value);
  }
  if (typeof value === "string" && schema.type === "string") return textValue(value, schema);
  if (schema.type === "number" && (typeof value === "number" || typeof value === "bigint")) {
    return Number(value);
  }
  return dynamicValue(value);
}

function dynamicValue(value: JsonValue): CelValue {
  if (Array.isArray(value)) {
    return new ListValue(value.length, (index) => dynamicValue(value[index] ?? null));
  }
  if (typeof value === "object" && value !== null) return plainMap(value, dynamicValue);
  return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
}

function textValue(value: string, schema: Schema): CelValue {
  switch (stringKinds[schema.format ?? ""]) {
    case "bytes":
      return new Uint8Array(Buffer.from(value, "base64"));
    case "duration":
      return readDuration(value) ?? celFailure(`Invalid duration ${value}: invalid`);
    case "timestamp": {
      const text = schema.format === "date" ? `${value}T00:00:00Z` : value;
      return (
        readTimestamp(text) ??
        celFailure(`Invalid ${schema.format ?? "date"} formatted string ${value}: invalid`)
      );
    }
    case undefined:
    default:
      return value;
  }
}

function plainMap(object: JsonObject, convert: (value: JsonValue) => CelValue): MapValue {
  const made = new Map<string, CelValue>();
  return {
    isMap: true,
    size: Object.keys(object).length,
    keys: () => Object.keys(object),
    get: (key) => {
      if (typeof key !== "string" || !Object.hasOwn(object, key)) return undefined;
      const known = made.get(key);
      if (known !== undefined) return known;
      const value = convert(object[key] ?? null);
      made.set(key, value);
      return value;
    },
  };
}

function objectValue(object: JsonObject, schema: Schema, name: string): MapValue {
  const fields = fieldSchemas(schema);
  const made = new Map<string, CelValue>();
  const isSet = (property: string, field: Schema): boolean =>
    Object.hasOwn(object, property) && !(object[property] === null && field.nullable === true);
  const present = (): readonly string[] =>
    [...fields].filter(([, each]) => isSet(each.property, each.schema)).map(([field]) => field);
  return {
    isMap: true,
    objectName: name,
    get size() {
      return present().length;
    },
    keys: present,
    get: (key) => {
      if (typeof key !== "string") return undefined;
      const known = made.get(key);
      if (known !== undefined) return known;
      const field = findField(schema, key);
      if (field === undefined || !isSet(field.property, field.schema)) return undefined;
      const value = schemaValue(object[field.property] ?? null, field.schema, `${name}.${key}`);
      made.set(key, value);
      return value;
    },
  };
}

function identityOf({ listType, listMapKeys }: Schema): ListIdentity | undefined {
  if (listType === "set") return { kind: "set" };
  return listType === "map" ? { kind: "map", keys: listMapKeys ?? [] } : undefined;
}
