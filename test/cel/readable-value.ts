import { formatDouble } from "../../src/cel/library/conversions.ts";
import { celDurationText, formatTimestamp } from "../../src/cel/read-time.ts";
import {
  type CelValue,
  Duration,
  isMapValue,
  ListValue,
  OpaqueValue,
  OptionalValue,
  Timestamp,
  TypeValue,
  UnsignedInteger,
} from "../../src/cel/values.ts";

/** A value as an expression would write it, for people. */
export function readableValue(value: CelValue): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") {
    return Number.isInteger(value) ? `${formatDouble(value)}.0` : formatDouble(value);
  }
  if (typeof value !== "object" || value === null) return String(value);
  if (value instanceof UnsignedInteger) return `${value.value}u`;
  if (value instanceof TypeValue) return value.name;
  if (value instanceof Timestamp) return `timestamp("${formatTimestamp(value)}")`;
  if (value instanceof Duration) return `duration("${celDurationText(value)}")`;
  if (value instanceof OpaqueValue) return `${value.typeName}(${JSON.stringify(value.identity)})`;
  if (value instanceof Uint8Array)
    return `b${JSON.stringify(Buffer.from(value).toString("latin1"))}`;
  if (value instanceof OptionalValue) {
    return value.value === undefined
      ? "optional.none()"
      : `optional.of(${readableValue(value.value)})`;
  }
  if (value instanceof ListValue) return `[${value.items().map(readableValue).join(", ")}]`;
  if (!isMapValue(value)) return "";
  const entries = value
    .keys()
    .map((key) => `${readableValue(key)}: ${readableValue(value.get(key) ?? null)}`);
  return `{${entries.join(", ")}}`;
}
