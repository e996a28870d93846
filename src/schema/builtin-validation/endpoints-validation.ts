import { isIpv4, isIpv6 } from "../string-format.ts";
import { duplicate, requiredField, tooMany } from "../field-error.ts";
import { addressDetail, isAddress, validateEndpointAddress } from "./address-validation.ts";
import type { Checker } from "./checker.ts";
import {
  labelProblems,
  labelValueProblems,
  qualifiedNameProblems,
  subdomainProblems,
} from "./names.ts";

const protocols = ["SCTP", "TCP", "UDP"];

export function validateEndpoints(object: Checker): void {
  for (const subset of object.items("subsets")) {
    const [ready, others] = [subset.items("addresses"), subset.items("notReadyAddresses")];
    if (ready.length === 0 && others.length === 0) {
      const detail = "must specify `addresses` or `notReadyAddresses`";
      subset.add(requiredField(subset.path, detail));
    }
    for (const address of [...ready, ...others]) {
      validateEndpointAddress(address, "ip", address.text("ip"));
      address.named("hostname", labelProblems);
      address.namedIfSet("nodeName", subdomainProblems);
    }
    const ports = subset.items("ports");
    for (const port of ports) {
      if (ports.length > 1) port.require("name");
      port.named("name", labelProblems);
      const number = Number(port.get("port") ?? 0);
      if (number < 1 || number > 65_535)
        port.invalid("port", number, "must be between 1 and 65535, inclusive");
      port.requireOneOf("protocol", protocols);
      port.namedIfSet("appProtocol", qualifiedNameProblems);
    }
  }
}

const mostAddresses = 100;
const mostTopologyKeys = 16;
const mostHints = 8;

export function validateEndpointSlice(object: Checker): void {
  object.requireOneOf("addressType", ["FQDN", "IPv4", "IPv6"]);
  const names = new Set<string>();
  for (const port of object.items("ports")) {
    const name = port.text("name");
    port.named("name", labelProblems);
    if (names.has(name)) port.add(duplicate(port.field("name"), name));
    names.add(name);
    port.requireOneOf("protocol", protocols);
    port.namedIfSet("appProtocol", qualifiedNameProblems);
  }
  for (const endpoint of object.items("endpoints")) {
    validateEndpoint(endpoint, object.text("addressType"));
  }
}

function validateEndpoint(endpoint: Checker, type: string): void {
  endpoint.require("addresses", "must contain at least 1 address");
  const addresses = endpoint.texts("addresses");
  if (addresses.length > mostAddresses)
    endpoint.add(tooMany(endpoint.field("addresses"), addresses.length, mostAddresses));
  for (const [index, address] of addresses.entries()) {
    validateSliceAddress(endpoint, `addresses[${index}]`, address, type);
  }
  endpoint.namedIfSet("nodeName", subdomainProblems);
  const topology = endpoint.entries("deprecatedTopology").length;
  if (topology > mostTopologyKeys)
    endpoint.add(tooMany(endpoint.field("deprecatedTopology"), topology, mostTopologyKeys));
  endpoint.namedIfSet("hostname", labelProblems);
  const hints = endpoint.maybe("hints");
  if (hints === undefined) return;
  for (const [key, rule] of [
    ["forZones", labelValueProblems],
    ["forNodes", subdomainProblems],
  ] as const) {
    const items = hints.items(key);
    if (items.length > mostHints) hints.add(tooMany(hints.field(key), items.length, mostHints));
    hints.unique(key, "name");
    for (const item of items)
      for (const problem of rule(item.text("name")))
        item.invalid("name", item.text("name"), problem);
  }
}

function validateSliceAddress(endpoint: Checker, key: string, address: string, type: string): void {
  if (type === "FQDN") {
    const problems = subdomainProblems(address);
    for (const problem of problems) endpoint.invalid(key, address, problem);
    if (problems.length === 0 && !address.includes(".")) {
      const detail = "should be a domain with at least two segments separated by dots";
      endpoint.invalid(key, address, detail);
    }
    return;
  }
  if (type !== "IPv4" && type !== "IPv6") return;
  if (!isAddress(address) || (type === "IPv6" && !isIpv6(address) && !isIpv4(address))) {
    endpoint.invalid(key, address, addressDetail);
    return;
  }
  const isOther = type === "IPv4" ? isIpv6(address) : isIpv4(address);
  // The server leaves the index out of this path.
  if (isOther) endpoint.invalid("addresses", address, `must be an ${type} address`);
  validateEndpointAddress(endpoint, key, address);
}
