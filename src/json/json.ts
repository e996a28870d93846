/** A JSON value; integers that a double cannot hold are kept exactly, as bigint. */
export type JsonValue = string | number | bigint | boolean | null | JsonArray | JsonObject;
export type JsonArray = JsonValue[];
export interface JsonObject {
  [key: string]: JsonValue;
}

// Sixteen digits in a row are the least that can make an integer unsafe.
const longDigits = /\d{16}/;
const integerText = /^-?\d+$/;

/** Parses JSON like JSON.parse, but loses no digit of a large integer. */
export function parseJson(text: string): JsonValue {
  if (!longDigits.test(text)) return JSON.parse(text) as JsonValue;
  return JSON.parse(text, keepLargeInteger) as JsonValue;
}

function keepLargeInteger(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const source = context?.source;
  return source !== undefined && integerText.test(source) ? BigInt(source) : value;
}

/** Writes JSON like JSON.stringify, with bigint as the integer it is. */
export function stringifyJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, writeLargeInteger, indent);
}

function writeLargeInteger(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? rawJson(String(value)) : value;
}

// The type library does not know JSON.rawJSON yet; every supported Node has it.
const rawJson = (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON;

/** Tells an object from the other JSON values. */
export function asObject(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
