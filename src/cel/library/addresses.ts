import { celFailure } from "../evaluation-error.ts";
import type { Library } from "../overload.ts";
import { OpaqueValue } from "../values.ts";
import { type Address, formatAddress, readAddress } from "./read-address.ts";

interface Network {
  readonly address: Address;
  readonly length: number;
}

/** Addresses and networks of IPv4 and IPv6. */
export const addressLibrary: Library = {
  "ip(string) -> net.IP": ipFrom,
  "isIP(string) -> bool": (text: string) => readAddress(text) !== undefined,
  "string(net.IP) -> string": (ip: OpaqueValue) => ip.identity,
  "ip.isCanonical(string) -> bool": (text: string) => ipFrom(text).identity === text,
  "[net.IP].family() -> int": (ip: OpaqueValue) => (addressOf(ip).bits === 32 ? 4n : 6n),
  "[net.IP].isUnspecified() -> bool": (ip: OpaqueValue) => addressOf(ip).value === 0n,
  "[net.IP].isLoopback() -> bool": (ip: OpaqueValue) => isIn(ip, ["127.0.0.0/8", "::1/128"]),
  "[net.IP].isLinkLocalMulticast() -> bool": (ip: OpaqueValue) =>
    isIn(ip, ["224.0.0.0/24", "ff02::/16", "ff12::/16", "ff22::/16", "ff32::/16"]),
  "[net.IP].isLinkLocalUnicast() -> bool": (ip: OpaqueValue) =>
    isIn(ip, ["169.254.0.0/16", "fe80::/10"]),
  "[net.IP].isGlobalUnicast() -> bool": (ip: OpaqueValue) =>
    !isIn(ip, [
      ..."0.0.0.0/32 255.255.255.255/32 127.0.0.0/8 224.0.0.0/4 169.254.0.0/16 ::/128".split(" "),
      ..."::1/128 ff00::/8 fe80::/10".split(" "),
    ]),
  "cidr(string) -> net.CIDR": cidrFrom,
  "isCIDR(string) -> bool": (text: string) => readNetwork(text) !== undefined,
  "string(net.CIDR) -> string": (cidr: OpaqueValue) => cidr.identity,
  "[net.CIDR].ip() -> net.IP": (cidr: OpaqueValue) => ipValue(networkOf(cidr).address),
  "[net.CIDR].masked() -> net.CIDR": (cidr: OpaqueValue) => cidrValue(masked(networkOf(cidr))),
  "[net.CIDR].prefixLength() -> int": (cidr: OpaqueValue) => BigInt(networkOf(cidr).length),
  "[net.CIDR].containsIP(net.IP) -> bool": (cidr: OpaqueValue, ip: OpaqueValue) =>
    contains(networkOf(cidr), addressOf(ip)),
  "[net.CIDR].containsIP(string) -> bool": (cidr: OpaqueValue, text: string) =>
    contains(networkOf(cidr), addressOf(ipFrom(text))),
  "[net.CIDR].containsCIDR(net.CIDR) -> bool": (cidr: OpaqueValue, other: OpaqueValue) =>
    containsNetwork(networkOf(cidr), networkOf(other)),
  "[net.CIDR].containsCIDR(string) -> bool": (cidr: OpaqueValue, text: string) =>
    containsNetwork(networkOf(cidr), networkOf(cidrFrom(text))),
};

function ipFrom(text: string): OpaqueValue {
  const address = readAddress(text);
  return address === undefined
    ? celFailure(
        `IP Address ${JSON.stringify(text)} parse error during conversion from string: ParseAddr(${JSON.stringify(text)}): unable to parse IP`,
      )
    : ipValue(address);
}

function cidrFrom(text: string): OpaqueValue {
  const network = readNetwork(text);
  return network === undefined
    ? celFailure(
        `network address parse error during conversion from string: netip.ParsePrefix(${JSON.stringify(text)}): no '/'`,
      )
    : cidrValue(network);
}

function ipValue(address: Address): OpaqueValue {
  return new OpaqueValue("net.IP", formatAddress(address), address);
}

function cidrValue(network: Network): OpaqueValue {
  const text = `${formatAddress(network.address)}/${network.length}`;
  return new OpaqueValue("net.CIDR", text, network);
}

function addressOf(value: OpaqueValue): Address {
  return value.content as Address;
}

function networkOf(value: OpaqueValue): Network {
  return value.content as Network;
}

function readNetwork(text: string): Network | undefined {
  const [, host = "", digits = ""] = /^(.*)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  const address = readAddress(host);
  const length = Number(digits);
  return address === undefined || length > address.bits ? undefined : { address, length };
}

function masked({ address, length }: Network): Network {
  const shift = BigInt(address.bits - length);
  return { address: { bits: address.bits, value: (address.value >> shift) << shift }, length };
}

function contains(network: Network, { bits, value }: Address): boolean {
  const shift = BigInt(network.address.bits - network.length);
  return network.address.bits === bits && network.address.value >> shift === value >> shift;
}

function containsNetwork(outer: Network, inner: Network): boolean {
  return outer.length <= inner.length && contains(outer, inner.address);
}

function isIn(ip: OpaqueValue, networks: readonly string[]): boolean {
  return networks.some((text) => contains(networkOf(cidrFrom(text)), addressOf(ip)));
}
