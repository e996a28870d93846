import { celFailure } from "../evaluation-error.ts";
import type { Library } from "../overload.ts";
import { celDurationText, formatTimestamp, readDuration, readTimestamp } from "../read-time.ts";
import { Duration, Timestamp, type UnsignedInteger } from "../values.ts";
import { inIntRange, uint } from "./operators.ts";

const secondNanos = 1_000_000_000n;

/** From one type to another. */
export const conversionLibrary: Library = {
  "bool(bool) -> bool": (value: boolean) => value,
  "bool(string) -> bool": (text: string) => {
    if (["1", "t", "true", "TRUE", "True", "T"].includes(text)) return true;
    if (["0", "f", "false", "FALSE", "False", "F"].includes(text)) return false;
    return celFailure(`type conversion error from 'string' to 'bool'`);
  },
  "int(int) -> int": (value: bigint) => value,
  "int(uint) -> int": ({ value }: UnsignedInteger) => inIntRange(value),
  "int(double) -> int": (value: number) =>
    Math.abs(value) < 2 ** 63 ? BigInt(Math.trunc(value)) : celFailure("integer overflow"),
  "int(string) -> int": (text: string) => inIntRange(readInteger(text, "int")),
  "int(timestamp) -> int": ({ nanos }: Timestamp) => nanos / secondNanos,
  "uint(uint) -> uint": (value: UnsignedInteger) => value,
  "uint(int) -> uint": (value: bigint) => uint(value),
  "uint(double) -> uint": (value: number) =>
    value >= 0 && value < 2 ** 64
      ? uint(BigInt(Math.trunc(value)))
      : celFailure("unsigned integer overflow"),
  "uint(string) -> uint": (text: string) => uint(readInteger(text, "uint")),
  "double(double) -> double": (value: number) => value,
  "double(int) -> double": Number,
  "double(uint) -> double": ({ value }: UnsignedInteger) => Number(value),
  "double(string) -> double": (text: string) => {
    if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return Number(text);
    const special = { inf: Infinity, "+inf": Infinity, "-inf": -Infinity, nan: Number.NaN };
    const known = (special as Readonly<Record<string, number>>)[text.toLowerCase()];
    return known ?? celFailure(`type conversion error from 'string' to 'double'`);
  },
  "string(string) -> string": (value: string) => value,
  "string(bool) -> string": String,
  "string(int) -> string": String,
  "string(uint) -> string": ({ value }: UnsignedInteger) => String(value),
  "string(double) -> string": formatDouble,
  "string(bytes) -> string": (bytes: Uint8Array) => {
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return celFailure("invalid UTF-8 in bytes, cannot convert to string");
    }
  },
  "string(timestamp) -> string": formatTimestamp,
  "string(duration) -> string": celDurationText,
  "bytes(bytes) -> bytes": (bytes: Uint8Array) => bytes,
  "bytes(string) -> bytes": (text: string) => new TextEncoder().encode(text),
  "timestamp(timestamp) -> timestamp": (value: Timestamp) => value,
  "timestamp(int) -> timestamp": (seconds: bigint) => new Timestamp(seconds * secondNanos),
  "timestamp(string) -> timestamp": (text: string) =>
    readTimestamp(text) ??
    celFailure(`type conversion error from 'string' to 'google.protobuf.Timestamp'`),
  "duration(duration) -> duration": (value: Duration) => value,
  "duration(int) -> duration": (nanos: bigint) => new Duration(nanos),
  "duration(string) -> duration": (text: string) =>
    readDuration(text) ??
    celFailure(`type conversion error from 'string' to 'google.protobuf.Duration'`),
};

const longestInteger = 30;

function readInteger(text: string, type: string): bigint {
  const isInteger = text.length <= longestInteger && /^[+-]?\d+$/.test(text);
  return isInteger
    ? BigInt(text.replace(/^\+/, ""))
    : celFailure(`type conversion error from 'string' to '${type}'`);
}

/** Doubles as Go writes them: the shortest digits, exponents with two digits and a sign. */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  const magnitude = Math.abs(value);
  if (magnitude !== 0 && (magnitude < 1e-4 || magnitude >= 1e21)) {
    return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  }
  return String(value);
}
