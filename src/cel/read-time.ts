import { Duration, Timestamp } from "./values.ts";

const unitNanos: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const durationPart = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/y;
const longestText = 100;

/** A duration such as `1h30m`, `-1.5s` or `0`. */
export function readDuration(text: string): Duration | undefined {
  const [, sign = "", body = ""] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  if (body === "0") return new Duration(0n);
  if (body === "" || body.length > longestText) return undefined;
  let nanos = 0n;
  durationPart.lastIndex = 0;
  while (durationPart.lastIndex < body.length) {
    const match = durationPart.exec(body);
    if (match === null) return undefined;
    const [, whole = "", fraction = "", unit = "s"] = match;
    if (whole === "" && fraction === "") return undefined;
    const perUnit = unitNanos[unit] ?? 0n;
    nanos += BigInt(`0${whole}`) * perUnit;
    if (fraction !== "") nanos += (BigInt(fraction) * perUnit) / 10n ** BigInt(fraction.length);
  }
  if (nanos >= 1n << 63n) return undefined;
  return new Duration(sign === "-" ? -nanos : nanos);
}

const timestampPattern =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9})\d*)?(Z|[+-]\d{2}:\d{2})$/i;
const nanosPerMilli = 1_000_000n;

/** A time in the notation of RFC 3339, to the nanosecond. */
export function readTimestamp(text: string): Timestamp | undefined {
  const match = timestampPattern.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = "", zone = "Z"] = match;
  const date = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const millis = Date.parse(`${date}${zone.toUpperCase()}`);
  // The day must exist: the 30th of February is no other day.
  const exists = Date.parse(`${date}Z`);
  if (Number.isNaN(millis) || !new Date(exists).toISOString().startsWith(date)) return undefined;
  return new Timestamp(BigInt(millis) * nanosPerMilli + BigInt(fraction.padEnd(9, "0")));
}

/** RFC 3339 in UTC, with as many digits of the second as it needs. */
export function formatTimestamp({ nanos }: Timestamp): string {
  const millis = floorDivide(nanos, nanosPerMilli);
  const iso = new Date(Number(millis)).toISOString();
  const below = ((nanos % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  const fraction = below === 0n ? "" : `.${String(below).padStart(9, "0").replace(/0+$/, "")}`;
  return `${iso.slice(0, 19)}${fraction}Z`;
}

/** Seconds with a suffix, as durations are written as texts. */
export function celDurationText({ nanos }: Duration): string {
  const magnitude = nanos < 0n ? -nanos : nanos;
  const below = magnitude % 1_000_000_000n;
  const fraction = below === 0n ? "" : `.${String(below).padStart(9, "0").replace(/0+$/, "")}`;
  return `${nanos < 0n ? "-" : ""}${magnitude / 1_000_000_000n}${fraction}s`;
}

export function floorDivide(value: bigint, unit: bigint): bigint {
  const quotient = value / unit;
  return value % unit < 0n ? quotient - 1n : quotient;
}
