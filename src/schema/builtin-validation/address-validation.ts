import { isIpv4, isIpv6 } from "../string-format.ts";
import type { Checker } from "./checker.ts";

export const addressDetail = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
export const cidrDetail = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

/** An address as older fields take it: numbers may begin with zeros. */
export function isAddress(text: string): boolean {
  return isIpv4(withoutZeros(text)) || isIpv6(text);
}

export function isCidr(text: string): boolean {
  const [address = "", length = "", ...rest] = text.split("/");
  if (rest.length > 0 || !/^\d{1,3}$/.test(length)) return false;
  if (isIpv4(withoutZeros(address))) return Number(length) <= 32;
  return isIpv6(address) && Number(length) <= 128;
}

/** Whether a range is a part of another, and smaller. */
export function isWithin(inner: string, outer: string): boolean {
  const [left, right] = [bitsOf(inner), bitsOf(outer)];
  return left.length > right.length && left.startsWith(right);
}

/** The bits that all addresses of a range share, with the family before them. */
function bitsOf(range: string): string {
  const [address = "", length = "0"] = range.split("/");
  const isSix = address.includes(":");
  const words = isSix ? wordsOf(address) : withoutZeros(address).split(".").map(Number);
  const bits = words.map((word) => word.toString(2).padStart(isSix ? 16 : 8, "0")).join("");
  return `${isSix ? 6 : 4}${bits.slice(0, Number(length))}`;
}

function wordsOf(address: string): readonly number[] {
  const [head = "", tail] = address.split("::");
  const read = (text: string): number[] =>
    text === "" ? [] : text.split(":").map((word) => Number.parseInt(word, 16));
  if (tail === undefined) return read(head);
  const [first, last] = [read(head), read(tail)];
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
}

function withoutZeros(text: string): string {
  return text.replaceAll(/(^|\.)0+(?=\d)/g, "$1");
}

/** An address at which something can be reached from elsewhere. */
export function validateEndpointAddress(checker: Checker, key: string, address: string): void {
  if (!isAddress(address)) {
    checker.invalid(key, address, addressDetail);
    return;
  }
  const plain = withoutZeros(address);
  if (plain === "0.0.0.0" || plain === "::")
    checker.invalid(key, address, `may not be unspecified (${address})`);
  if (plain.startsWith("127.") || plain === "::1")
    checker.invalid(key, address, "may not be in the loopback range (127.0.0.0/8, ::1/128)");
  if (plain.startsWith("169.254.") || /^fe[89ab][0-9a-f]:/i.test(plain))
    checker.invalid(key, address, "may not be in the link-local range (169.254.0.0/16, fe80::/10)");
  if (plain.startsWith("224.0.0.") || /^ff02:/i.test(plain)) {
    const range = "224.0.0.0/24, ff02::/10";
    checker.invalid(key, address, `may not be in the link-local multicast range (${range})`);
  }
}
