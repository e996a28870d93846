import { celFailure } from "../evaluation-error.ts";
import type { Library } from "../overload.ts";
import { OpaqueValue } from "../values.ts";

interface Version {
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly before: readonly string[];
}

/** Versions such as `1.2.3-rc.1`; with `true` also `v1.2`. */
export const semverLibrary: Library = {
  "semver(string) -> kubernetes.Semver": (text: string) => versionFrom(text, false),
  "semver(string, bool) -> kubernetes.Semver": versionFrom,
  "isSemver(string) -> bool": (text: string) => readVersion(text, false) !== undefined,
  "isSemver(string, bool) -> bool": (text: string, normalise: boolean) =>
    readVersion(text, normalise) !== undefined,
  "[kubernetes.Semver].major() -> int": (value: OpaqueValue) => versionOf(value).numbers[0],
  "[kubernetes.Semver].minor() -> int": (value: OpaqueValue) => versionOf(value).numbers[1],
  "[kubernetes.Semver].patch() -> int": (value: OpaqueValue) => versionOf(value).numbers[2],
  "[kubernetes.Semver].compareTo(kubernetes.Semver) -> int": compare,
  "[kubernetes.Semver].isLessThan(kubernetes.Semver) -> bool": (
    left: OpaqueValue,
    right: OpaqueValue,
  ) => compare(left, right) < 0n,
  "[kubernetes.Semver].isGreaterThan(kubernetes.Semver) -> bool": (
    left: OpaqueValue,
    right: OpaqueValue,
  ) => compare(left, right) > 0n,
};

function versionFrom(text: string, normalise: boolean): OpaqueValue {
  const version = readVersion(text, normalise);
  if (version === undefined) {
    const [, minor, patch] = text.split(".");
    return celFailure(
      minor === undefined || patch === undefined
        ? "No Major.Minor.Patch elements found"
        : `Invalid character(s) found in version ${JSON.stringify(text)}`,
    );
  }
  const identity = `${version.numbers.join(".")}-${version.before.join(".")}`;
  return new OpaqueValue("kubernetes.Semver", identity, version);
}

function versionOf(value: OpaqueValue): Version {
  return value.content as Version;
}

const pattern =
  /^(0|[1-9]\d{0,17})\.(0|[1-9]\d{0,17})\.(0|[1-9]\d{0,17})(?:-([\da-zA-Z-]+(?:\.[\da-zA-Z-]+)*))?(?:\+[\da-zA-Z-]+(?:\.[\da-zA-Z-]+)*)?$/;

function readVersion(text: string, normalise: boolean): Version | undefined {
  const match = pattern.exec(normalise ? normalised(text) : text);
  if (match === null) return undefined;
  const [, major = "0", minor = "0", patch = "0", rest = ""] = match;
  const before = rest === "" ? [] : rest.split(".");
  if (before.some((part) => /^0\d+$/.test(part))) return undefined;
  return { numbers: [BigInt(major), BigInt(minor), BigInt(patch)], before };
}

/** Without the `v`, with all three numbers, each without leading zeros. */
function normalised(text: string): string {
  const [, numbers = "", rest = ""] = /^v?([\d.]*)(.*)$/s.exec(text) ?? [];
  const parts = numbers.split(".");
  if (parts.length < 3 && rest !== "") return text;
  while (parts.length < 3) parts.push("0");
  return parts.map((part) => part.replace(/^0+(?=\d)/, "")).join(".") + rest;
}

function compare(left: OpaqueValue, right: OpaqueValue): bigint {
  const [a, b] = [versionOf(left), versionOf(right)];
  for (const [index, number] of a.numbers.entries()) {
    const difference = number - (b.numbers[index] ?? 0n);
    if (difference !== 0n) return difference < 0n ? -1n : 1n;
  }
  return compareBefore(a.before, b.before);
}

/** A version with something after the dash comes before the one without. */
function compareBefore(left: readonly string[], right: readonly string[]): bigint {
  if (left.length === 0 || right.length === 0) {
    return BigInt(Math.sign(right.length - left.length));
  }
  for (const [index, part] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1n;
    if (part === other) continue;
    const [isNumber, isOtherNumber] = [/^\d+$/.test(part), /^\d+$/.test(other)];
    if (isNumber && isOtherNumber) return BigInt(part) < BigInt(other) ? -1n : 1n;
    if (isNumber !== isOtherNumber) return isNumber ? -1n : 1n;
    return part < other ? -1n : 1n;
  }
  return left.length < right.length ? -1n : 0n;
}
