import { celFailure } from "../evaluation-error.ts";
import type { CostMeter } from "../meter.ts";
import { celDurationText, formatTimestamp } from "../read-time.ts";
import {
  type CelValue,
  Duration,
  isMapValue,
  ListValue,
  Timestamp,
  typeNameOf,
  TypeValue,
  UnsignedInteger,
} from "../values.ts";
import { formatDouble } from "./conversions.ts";

const verb = /%(?:\.(\d{1,3}))?([a-zA-Z%])/g;

/** `"%s has %d".format([…])`: each verb takes the next argument. */
export function formatText(template: string, args: ListValue, meter: CostMeter): string {
  let next = 0;
  const text = template.replaceAll(verb, (_, precision: string | undefined, letter: string) => {
    if (letter === "%") return "%";
    if (next >= args.length) return celFailure(`index ${next} out of range`);
    const formatted = formatOne(letter, args.at(next++), precision);
    meter.spendOnText(formatted.length);
    return formatted;
  });
  meter.spendOnText(text.length);
  return text;
}

function formatOne(letter: string, value: CelValue, precision: string | undefined): string {
  switch (letter) {
    case "s":
      return stringForm(value);
    case "d":
      return decimal(value);
    case "f":
      return fixed(value, Number(precision ?? 6));
    case "e":
      // The server takes a precision here and does not follow it.
      return scientific(toNumber(value));
    case "b":
      return typeof value === "boolean" ? (value ? "1" : "0") : integer(value, "b").toString(2);
    case "o":
      return integer(value, "o").toString(8);
    case "x":
      return hexadecimal(value);
    case "X":
      return hexadecimal(value).toUpperCase();
    default:
      return celFailure(
        `could not parse formatting clause: unrecognized formatting clause "${letter}"`,
      );
  }
}

function stringForm(value: CelValue): string {
  if (value === null) return "null";
  if (typeof value === "number") return formatDouble(value);
  if (typeof value !== "object") return String(value);
  if (value instanceof UnsignedInteger) return String(value.value);
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return celDurationText(value);
  if (value instanceof TypeValue) return value.name;
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (value instanceof ListValue) return `[${value.items().map(nestedForm).join(", ")}]`;
  if (isMapValue(value)) {
    const entries = value
      .keys()
      .map((key) => `${nestedForm(key)}:${nestedForm(value.get(key) ?? null)}`);
    return `{${[...entries].sort().join(", ")}}`;
  }
  return celFailure(
    `error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given ${typeNameOf(value)}`,
  );
}

/** Within lists and maps, values are told from each other by quotes, digits and names. */
function nestedForm(value: CelValue): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") return fixed(value, 6);
  if (value instanceof Timestamp) return `timestamp("${formatTimestamp(value)}")`;
  return value instanceof Duration ? `duration("${celDurationText(value)}")` : stringForm(value);
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** `1.5×10⁰³`, as the server writes powers of ten. */
function scientific(value: number): string {
  if (!Number.isFinite(value)) return formatDouble(value);
  const [mantissa = "", exponent = "+0"] = value.toExponential(6).split("e");
  const power = Array.from(
    exponent.slice(1).padStart(2, "0"),
    (digit) => superscripts[Number(digit)],
  );
  return `${mantissa}×10${exponent.startsWith("-") ? "⁻" : ""}${power.join("")}`;
}

function decimal(value: CelValue): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number" && !Number.isFinite(value)) return stringForm(value);
  return value instanceof UnsignedInteger
    ? String(value.value)
    : celFailure(
        `error during formatting: decimal clause can only be used on integers, was given ${typeNameOf(value)}`,
      );
}

function integer(value: CelValue, letter: string): bigint {
  if (typeof value === "bigint") return value;
  return value instanceof UnsignedInteger
    ? value.value
    : celFailure(
        `error during formatting: only integers can be formatted with %${letter}, was given ${typeNameOf(value)}`,
      );
}

function toNumber(value: CelValue): number {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  return value instanceof UnsignedInteger
    ? Number(value.value)
    : celFailure(
        `error during formatting: fixed-point clause can only be used on doubles, was given ${typeNameOf(value)}`,
      );
}

function fixed(value: CelValue, digits: number): string {
  const number = toNumber(value);
  return Number.isFinite(number) ? number.toFixed(Math.min(digits, 100)) : formatDouble(number);
}

function hexadecimal(value: CelValue): string {
  if (typeof value === "string") return Buffer.from(value).toString("hex");
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  return integer(value, "x").toString(16);
}
