import {
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  setField,
} from "../json/index.ts";
import { canonicalQuantity, canonicalResource } from "./quantity.ts";
import type { Schema } from "./schema.ts";

export interface NormalisedObject {
  readonly object: JsonObject;
  /** Why the server cannot read the object, in its words. */
  readonly problems: readonly string[];
}

/**
 * An object of a built-in kind as the server holds it, which is as a Go struct: unknown fields and
 * nulls are gone, empty optional fields too, fields that are always written are there, quantities
 * and times are in their one form. The result shares no container with the input, except opaque ones.
 */
export function normalise(schema: Schema, value: JsonObject): NormalisedObject {
  const problems: string[] = [];
  const object = normaliseStruct(schema, value, "", problems);
  return { object, problems };
}

/** An object of a kind with nothing set, as the server starts from when it creates one. */
export function emptyObject(schema: Schema, apiVersion: string, kind: string): JsonObject {
  return normaliseStruct(schema, { apiVersion, kind }, "", []);
}

function normaliseStruct(
  schema: Schema,
  value: JsonObject,
  path: string,
  problems: string[],
): JsonObject {
  const { properties } = schema;
  if (properties === undefined) return value;
  const struct: JsonObject = {};
  for (const key of Object.keys(value)) {
    const field = properties.get(key);
    const raw = value[key];
    if (field === undefined || raw === undefined || raw === null) continue;
    const at = path === "" ? key : `${path}.${key}`;
    const normal = normaliseValue(field, raw, at, schema, problems);
    if (field.presence === "optional" && isEmpty(normal)) continue;
    // Storage does not tell an empty list from none.
    setField(struct, key, field.presence === "always" && isEmptyList(normal) ? null : normal);
  }
  for (const [key, field] of alwaysWritten(schema)) {
    if (!Object.hasOwn(struct, key)) setField(struct, key, zeroOf(field));
  }
  return struct;
}

function normaliseValue(
  schema: Schema,
  value: JsonValue,
  path: string,
  owner: Schema,
  problems: string[],
): JsonValue {
  switch (schema.format) {
    case "raw":
    case "fields":
      return value;
    case "quantity":
      return quantityOf(value, path, owner, problems, canonicalQuantity);
    case "int-or-string":
      return typeof value === "string" || Number.isInteger(value)
        ? value
        : mismatch(value, "intstr.IntOrString", path, owner, problems, 0);
    case "date-time":
    case "micro-time":
      return timeOf(value, schema.format, problems);
    case "byte":
      return bytesOf(value, path, owner, problems);
    case undefined:
    default:
      return normaliseTyped(schema, value, path, owner, problems);
  }
}

function normaliseTyped(
  schema: Schema,
  value: JsonValue,
  path: string,
  owner: Schema,
  problems: string[],
): JsonValue {
  switch (schema.type) {
    case "array":
      return Array.isArray(value)
        ? normaliseList(schema, value, path, owner, problems)
        : mismatch(value, "[]", path, owner, problems, []);
    case "object":
      if (!isJsonObject(value)) return mismatch(value, "struct", path, owner, problems, {});
      return schema.additionalProperties === undefined
        ? normaliseStruct(schema, value, path, problems)
        : normaliseMap(schema, value, path, owner, problems);
    case "string":
      return typeof value === "string"
        ? value
        : mismatch(value, "string", path, owner, problems, "");
    case "boolean":
      return typeof value === "boolean"
        ? value
        : mismatch(value, "bool", path, owner, problems, false);
    case "integer": {
      const goType = schema.format ?? "int64";
      return isInteger(value, goType) ? value : mismatch(value, goType, path, owner, problems, 0);
    }
    case "number":
      return typeof value === "number"
        ? value
        : mismatch(value, "float64", path, owner, problems, 0);
    case undefined:
    default:
      return value;
  }
}

function normaliseList(
  schema: Schema,
  list: JsonArray,
  path: string,
  owner: Schema,
  problems: string[],
): JsonValue {
  const { items } = schema;
  if (items === undefined) return list;
  return list.map((item) =>
    item === null ? zeroOf(items) : normaliseValue(items, item, path, owner, problems),
  );
}

function normaliseMap(
  schema: Schema,
  map: JsonObject,
  path: string,
  owner: Schema,
  problems: string[],
): JsonValue {
  const element = schema.additionalProperties;
  if (typeof element !== "object") return map;
  const normal: JsonObject = {};
  for (const [key, entry] of Object.entries(map)) {
    if (entry === null) setField(normal, key, zeroOf(element));
    else if (element.format === "quantity") {
      setField(normal, key, quantityOf(entry, path, owner, problems, canonicalResource));
    } else setField(normal, key, normaliseValue(element, entry, path, owner, problems));
  }
  return normal;
}

function quantityOf(
  value: JsonValue,
  path: string,
  owner: Schema,
  problems: string[],
  canonical: (text: string) => string | undefined,
): JsonValue {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "bigint") {
    return mismatch(value, "resource.Quantity", path, owner, problems, "0");
  }
  const text = canonical(String(value));
  if (text !== undefined) return text;
  problems.push(
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  );
  return "0";
}

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const microTimePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}(Z|[+-]\d\d:\d\d)$/;

function timeOf(value: JsonValue, format: string, problems: string[]): JsonValue {
  const isMicro = format === "micro-time";
  const pattern = isMicro ? microTimePattern : timePattern;
  const parsed = typeof value === "string" && pattern.test(value) ? Date.parse(value) : Number.NaN;
  if (typeof value !== "string" || Number.isNaN(parsed)) {
    const layout = isMicro ? "2006-01-02T15:04:05.000000Z07:00" : "2006-01-02T15:04:05Z07:00";
    const text = typeof value === "string" ? JSON.stringify(value) : "value";
    problems.push(`parsing time ${text} as ${JSON.stringify(layout)}: cannot parse`);
    return null;
  }
  if (!isMicro && value.length === 20 && value.endsWith("Z")) return value;
  const seconds = new Date(parsed).toISOString().slice(0, 19);
  if (!isMicro) return `${seconds}Z`;
  return `${seconds}.${/\.(\d{6})/.exec(value)?.[1] ?? "000000"}Z`;
}

const base64Pattern = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Whether a text is what Go reads as base64; line breaks do not count. */
export function isBase64(text: string): boolean {
  return base64Pattern.test(text.replaceAll(/[\r\n]/g, ""));
}

function bytesOf(value: JsonValue, path: string, owner: Schema, problems: string[]): JsonValue {
  if (typeof value !== "string") return mismatch(value, "[]uint8", path, owner, problems, "");
  const text = value.replaceAll(/[\r\n]/g, "");
  if (!base64Pattern.test(text)) {
    const wrong = text.search(/[^A-Za-z0-9+/]/);
    const byte = wrong === -1 ? text.length - (text.length % 4) : wrong;
    problems.push(`illegal base64 data at input byte ${byte}`);
    return "";
  }
  return text;
}

/** Reports what Go's decoder would, and goes on with a stand-in. */
function mismatch(
  value: JsonValue,
  goType: string,
  path: string,
  owner: Schema,
  problems: string[],
  standIn: JsonValue,
): JsonValue {
  const struct = owner.name?.slice(owner.name.lastIndexOf(".") + 1) ?? "";
  const field = `${struct}.${path}`;
  problems.push(
    `json: cannot unmarshal ${jsonType(value)} into Go struct field ${field} of type ${goType}`,
  );
  return standIn;
}

function jsonType(value: JsonValue): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number" && !Number.isInteger(value)) return `number ${value}`;
  return typeof value === "bigint" ? `number ${value}` : typeof value;
}

function isInteger(value: JsonValue, goType: string): boolean {
  if (typeof value === "bigint") return goType === "int64" && BigInt.asIntN(64, value) === value;
  if (typeof value !== "number" || !Number.isInteger(value)) return false;
  return goType !== "int32" || (value | 0) === value;
}

const alwaysBySchema = new WeakMap<object, readonly (readonly [string, Schema])[]>();

function alwaysWritten(schema: Schema): readonly (readonly [string, Schema])[] {
  const { properties } = schema;
  if (properties === undefined) return [];
  const known = alwaysBySchema.get(properties);
  if (known !== undefined) return known;
  const fields = [...properties].filter(
    ([, field]) => field.presence === "always" || field.presence === "nullable-pointer",
  );
  alwaysBySchema.set(properties, fields);
  return fields;
}

/** What Go writes for a field that was never set. */
function zeroOf(schema: Schema): JsonValue {
  if (schema.presence === "nullable-pointer") return null;
  switch (schema.format) {
    case "quantity":
      return "0";
    case "int-or-string":
      return 0;
    case "date-time":
    case "micro-time":
    case "raw":
      return null;
    case undefined:
    default:
  }
  switch (schema.type) {
    case "string":
      return "";
    case "integer":
    case "number":
      return 0;
    case "boolean":
      return false;
    case "object":
      return schema.properties === undefined ? null : normaliseStruct(schema, {}, "", []);
    case "array":
    case undefined:
    default:
      return null;
  }
}

function isEmpty(value: JsonValue): boolean {
  if (value === "" || value === 0 || value === false || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function isEmptyList(value: JsonValue): boolean {
  return Array.isArray(value) && value.length === 0;
}
