import { isIpv4, isIpv6 } from "../../schema/string-format.ts";

export interface Address {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

/** An address without a zone; an IPv4 address in the clothes of IPv6 is refused. */
export function readAddress(text: string): Address | undefined {
  if (isIpv4(text)) return { bits: 32, value: ipv4Value(text) };
  if (!isIpv6(text)) return undefined;
  const value = ipv6Value(text);
  return value >> 32n === 0xffffn ? undefined : { bits: 128, value };
}

export function formatAddress({ bits, value }: Address): string {
  if (bits === 32) {
    return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join(".");
  }
  const groups = Array.from({ length: 8 }, (_, index) =>
    Number((value >> BigInt(112 - 16 * index)) & 0xffffn),
  );
  const { start, length } = longestZeros(groups);
  const hex = (part: readonly number[]): string => part.map((each) => each.toString(16)).join(":");
  if (length < 2) return hex(groups);
  return `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}

function ipv4Value(text: string): bigint {
  return text.split(".").reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

function ipv6Value(text: string): bigint {
  const [head = "", tail] = text.split("::");
  const left = groupsOf(head);
  const right = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => 0n);
  return [...left, ...zeros, ...right].reduce((value, group) => (value << 16n) | group, 0n);
}

function groupsOf(text: string): readonly bigint[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => {
    if (!group.includes(".")) return [BigInt(`0x${group}`)];
    const value = ipv4Value(group);
    return [value >> 16n, value & 0xffffn];
  });
}

function longestZeros(groups: readonly number[]): {
  readonly start: number;
  readonly length: number;
} {
  let best = { start: 0, length: 0 };
  let start = 0;
  for (const [index, group] of groups.entries()) {
    if (group !== 0) start = index + 1;
    else if (index + 1 - start > best.length) best = { start, length: index + 1 - start };
  }
  return best;
}
