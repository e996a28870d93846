import { type JsonValue, parseJson } from "../../json/index.ts";
import type { Schema } from "../schema.ts";
import { readFields, WireError, type WireValue } from "./wire-reader.ts";

const empty: WireValue = { kind: "bytes", bytes: new Uint8Array() };

/** A value without fields of its own: a scalar, or one of the types that JSON writes as a scalar. */
export function decodeScalar(schema: Schema, value: WireValue): JsonValue {
  switch (schema.format) {
    case "quantity":
      return textAt(value, 1);
    case "int-or-string":
      return decodeIntOrString(value);
    case "date-time":
      return decodeTime(value, 0);
    case "micro-time":
      return decodeTime(value, 6);
    case "raw":
    case "fields":
      return decodeRaw(value);
    case "byte":
      return Buffer.from(bytesOf(value)).toString("base64");
    case undefined:
    default:
      return decodePlain(schema, value);
  }
}

export function decodeWireText(value: WireValue): string {
  return new TextDecoder().decode(bytesOf(value));
}

function decodePlain(schema: Schema, value: WireValue): JsonValue {
  switch (schema.type) {
    case "integer":
      return decodeInteger(value);
    case "boolean":
      return decodeInteger(value) !== 0;
    case "number":
      return decodeDouble(value);
    case "string":
      return decodeWireText(value);
    case "object":
      return {};
    case "array":
    case undefined:
    default:
      return decodeRaw(value);
  }
}

function decodeInteger(value: WireValue): number | bigint {
  if (value.kind === "bytes" && value.bytes.length === 0) return 0;
  if (value.kind !== "varint") throw new WireError("proto: wrong wireType for an integer");
  const number = Number(value.value);
  return Number.isSafeInteger(number) ? number : value.value;
}

function decodeDouble(value: WireValue): number {
  if (value.kind !== "fixed") throw new WireError("proto: wrong wireType for a number");
  const { buffer, byteOffset, length } = value.bytes;
  const view = new DataView(buffer, byteOffset, length);
  return length === 8 ? view.getFloat64(0, true) : view.getFloat32(0, true);
}

function decodeIntOrString(value: WireValue): JsonValue {
  const parts = new Map([...readFields(bytesOf(value))].map((part) => [part.number, part.value]));
  const isText = decodeInteger(parts.get(1) ?? empty) === 1;
  return isText ? decodeWireText(parts.get(3) ?? empty) : decodeInteger(parts.get(2) ?? empty);
}

/** Seconds and nanoseconds since 1970; no message content is no time. */
function decodeTime(value: WireValue, digits: number): JsonValue {
  const parts = new Map([...readFields(bytesOf(value))].map((part) => [part.number, part.value]));
  if (parts.size === 0) return null;
  const seconds = Number(decodeInteger(parts.get(1) ?? empty));
  const nanoseconds = Number(decodeInteger(parts.get(2) ?? empty));
  const text = new Date(seconds * 1000);
  if (Number.isNaN(text.getTime())) throw new WireError("proto: the time is out of range");
  const whole = text.toISOString().slice(0, 19);
  if (digits === 0) return `${whole}Z`;
  return `${whole}.${String(Math.floor(nanoseconds / 1000)).padStart(digits, "0")}Z`;
}

/** JSON inside the message. */
function decodeRaw(value: WireValue): JsonValue {
  const text = textAt(value, 1);
  if (text === "") return null;
  try {
    return parseJson(text);
  } catch {
    throw new WireError("proto: embedded JSON is malformed");
  }
}

function textAt(value: WireValue, number: number): string {
  for (const part of readFields(bytesOf(value))) {
    if (part.number === number) return decodeWireText(part.value);
  }
  return "";
}

function bytesOf(value: WireValue): Uint8Array {
  if (value.kind !== "bytes") throw new WireError("proto: wrong wireType for bytes");
  return value.bytes;
}
