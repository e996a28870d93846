import type { JsonValue } from "../json/index.ts";
import {
  type CelValue,
  isMapValue,
  ListValue,
  mapKey,
  OptionalValue,
  UnsignedInteger,
} from "./values.ts";

/** A value of an expression as JSON; undefined for what JSON has no form for. */
export function jsonOf(value: CelValue): JsonValue | undefined {
  if (value === null || typeof value !== "object") return plain(value);
  if (value instanceof UnsignedInteger) return plain(value.value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (value instanceof OptionalValue)
    return value.value === undefined ? undefined : jsonOf(value.value);
  if (value instanceof ListValue) return allOf(value.items().map(jsonOf));
  if (!isMapValue(value)) return undefined;
  const keys = value.keys();
  const values = allOf(keys.map((key) => jsonOf(value.get(key) ?? null)));
  if (values === undefined) return undefined;
  return Object.fromEntries(
    keys.map((key, index) => [mapKey(key).slice(1), values[index] ?? null]),
  );
}

function plain(value: null | boolean | bigint | number | string): JsonValue {
  const isSmall = typeof value === "bigint" && Number.isSafeInteger(Number(value));
  return isSmall ? Number(value) : value;
}

function allOf(values: readonly (JsonValue | undefined)[]): JsonValue[] | undefined {
  const found = values.filter((value) => value !== undefined);
  return found.length === values.length ? found : undefined;
}
