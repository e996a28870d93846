import { raise } from "../evaluation-error.ts";
import { StarlarkFloat } from "../values/float.ts";
import { intOf, isInt } from "../values/int.ts";
import type { Value } from "../values/value.ts";
import { typeName } from "./type-name.ts";

/** An int or the whole part of a float; `prefix` comes before the message of any failure. */
export function toInt(value: Value, prefix = ""): number | bigint {
  if (isInt(value)) return value;
  if (!(value instanceof StarlarkFloat)) raise(`${prefix}cannot convert ${typeName(value)} to int`);
  if (Number.isNaN(value.number)) raise(`${prefix}cannot convert float NaN to integer`);
  if (!Number.isFinite(value.number)) raise(`${prefix}cannot convert float infinity to integer`);
  return intOf(BigInt(Math.trunc(value.number)));
}

/** Reads an int in a base from 2 to 36; base 0 goes by the prefix. Undefined for no int. */
export function parseInt(text: string, base: number): number | bigint | undefined {
  const {
    sign = "",
    prefix = "",
    digits = "",
  } = /^(?<sign>[+-]?)(?<prefix>0[xXoObB](?=.))?(?<digits>.*)$/s.exec(text)?.groups ?? {};
  const prefixBase = { x: 16, o: 8, b: 2 }[prefix.slice(1).toLowerCase()];
  const isPrefixed = prefixBase !== undefined && (base === 0 || base === prefixBase);
  const body = isPrefixed ? digits : prefix + digits;
  if (base === 0 && !isPrefixed && /^0./s.test(body)) return /^0+$/.test(body) ? 0 : undefined;
  const actualBase = isPrefixed ? prefixBase : base === 0 ? 10 : base;
  const magnitude = parseDigits(body.toLowerCase(), actualBase);
  if (magnitude === undefined) return undefined;
  return intOf(sign === "-" ? -magnitude : magnitude);
}

const digitLetters = "0123456789abcdefghijklmnopqrstuvwxyz";

function parseDigits(digits: string, base: number): bigint | undefined {
  if (digits === "") return undefined;
  for (const digit of digits) {
    const value = digitLetters.indexOf(digit);
    if (value === -1 || value >= base) return undefined;
  }
  if (base === 10) return BigInt(digits);
  const prefix = { 16: "0x", 8: "0o", 2: "0b" }[base];
  if (prefix !== undefined) return BigInt(prefix + digits);
  let magnitude = 0n;
  for (const digit of digits)
    magnitude = magnitude * BigInt(base) + BigInt(digitLetters.indexOf(digit));
  return magnitude;
}
