import { duplicate, forbidden, invalid, notSupported, requiredField } from "../field-error.ts";
import { isIpv4 } from "../string-format.ts";
import {
  addressDetail,
  cidrDetail,
  isAddress,
  isCidr,
  isWithin,
  validateEndpointAddress,
} from "./address-validation.ts";
import type { Checker } from "./checker.ts";
import { validateLabels } from "./metadata-validation.ts";
import {
  labelProblems,
  type NameRule,
  portNameProblems,
  qualifiedNameProblems,
  subdomainProblems,
  wildcardProblems,
} from "./names.ts";
import { validateSelector } from "./selector-validation.ts";

export function validateService(object: Checker): void {
  const spec = object.at("spec");
  const type = spec.text("type");
  const isHeadless = spec.text("clusterIP") === "None";
  if (type !== "ExternalName" && !isHeadless) spec.require("ports");
  if (type === "ExternalName" && spec.require("externalName")) {
    spec.named("externalName", subdomainProblems);
  }
  validateServicePorts(spec, type);
  validateLabels(spec, "selector");
  spec.oneOf("sessionAffinity", ["ClientIP", "None"]);
  spec.oneOf("type", ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"]);
  const address = spec.text("clusterIP");
  if (address !== "" && !isHeadless && !isAddress(address)) {
    spec.invalid("clusterIPs[0]", address, addressDetail);
  }
  const policy = spec.text("externalTrafficPolicy");
  const isExternal = type === "LoadBalancer" || type === "NodePort" || spec.has("externalIPs");
  if (policy !== "" && !isExternal) {
    spec.invalid(
      "externalTrafficPolicy",
      policy,
      "may only be set for externally-accessible services",
    );
  } else spec.oneOf("externalTrafficPolicy", ["Cluster", "Local"]);
  spec.supported("internalTrafficPolicy", ["Cluster", "Local"]);
  spec.supported("ipFamilyPolicy", ["PreferDualStack", "RequireDualStack", "SingleStack"]);
  validateFamilies(spec);
  validateOutsideFields(spec, type);
  const distribution = ["PreferClose", "PreferSameZone", "PreferSameNode"];
  spec.supported("trafficDistribution", distribution);
}

const families = ["IPv4", "IPv6"];

function validateFamilies(spec: Checker): void {
  const given = spec.get("ipFamilies");
  const list = Array.isArray(given) ? given : [];
  for (const [index, family] of list.entries()) {
    const at = `${spec.field("ipFamilies")}[${index}]`;
    if (typeof family !== "string" || !families.includes(family))
      spec.add(notSupported(at, family, families));
    else if (list.indexOf(family) < index) spec.add(duplicate(at, family));
  }
}

/** Fields of services that are reached from outside of the cluster. */
function validateOutsideFields(spec: Checker, type: string): void {
  const isBalanced = type === "LoadBalancer";
  const ranges = spec.get("loadBalancerSourceRanges");
  // The server spells this path as its own code does.
  if (Array.isArray(ranges) && ranges.length > 0) {
    if (!isBalanced) spec.forbid("LoadBalancerSourceRanges", onlyBalanced);
    for (const [index, range] of ranges.entries())
      if (typeof range === "string" && !isCidr(range.trim()))
        spec.invalid(`LoadBalancerSourceRanges[${index}]`, range, cidrDetail);
  }
  if (spec.has("loadBalancerClass")) {
    if (isBalanced) spec.named("loadBalancerClass", qualifiedNameProblems);
    else spec.forbid("loadBalancerClass", onlyBalanced);
  }
  const isChecked = isBalanced && spec.text("externalTrafficPolicy") === "Local";
  if (!isChecked && Number(spec.get("healthCheckNodePort") ?? 0) !== 0) {
    const detail =
      "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    spec.invalid("healthCheckNodePort", spec.get("healthCheckNodePort"), detail);
  }
  if (!isBalanced && spec.has("allocateLoadBalancerNodePorts"))
    spec.forbid("allocateLoadBalancerNodePorts", onlyBalanced);
  const addresses = spec.get("externalIPs");
  for (const [index, address] of (Array.isArray(addresses) ? addresses : []).entries()) {
    if (typeof address !== "string") continue;
    const at = `externalIPs[${index}]`;
    validateEndpointAddress(spec, at, address);
  }
  const seconds = spec.at("sessionAffinityConfig").at("clientIP").get("timeoutSeconds");
  if (
    spec.text("sessionAffinity") === "ClientIP" &&
    typeof seconds === "number" &&
    (seconds <= 0 || seconds > 86_400)
  ) {
    const detail = "must be greater than 0 and less than 86400";
    spec.invalid("sessionAffinityConfig.clientIP.timeoutSeconds", seconds, detail);
  }
}

const onlyBalanced = "may only be used when `type` is 'LoadBalancer'";

function validateServicePorts(spec: Checker, type: string): void {
  const ports = spec.items("ports");
  const names = new Set<string>();
  const seen = new Set<string>();
  const nodePorts = new Set<string>();
  for (const port of ports) {
    const name = port.text("name");
    if (ports.length > 1) port.require("name");
    port.named("name", labelProblems);
    if (name !== "" && names.has(name)) port.add(duplicate(port.field("name"), name));
    names.add(name);
    port.between("port", 1, 65_535);
    port.oneOf("protocol", ["SCTP", "TCP", "UDP"]);
    port.named("appProtocol", qualifiedNameProblems);
    port.between("targetPort", 1, 65_535);
    if (typeof port.get("targetPort") === "string") port.named("targetPort", portNameProblems);
    const key = `${Number(port.get("port") ?? 0)}/${port.text("protocol")}`;
    if (seen.has(key)) port.add(duplicate(port.path, port.object));
    seen.add(key);
    const node = Number(port.get("nodePort") ?? 0);
    if (node === 0) continue;
    const taken = `${node}/${port.text("protocol")}`;
    if (nodePorts.has(taken)) port.add(duplicate(port.field("nodePort"), node));
    nodePorts.add(taken);
    if (type === "ClusterIP" && Number(port.get("nodePort") ?? 0) > 0) {
      port.forbid("nodePort", "may not be used when `type` is 'ClusterIP'");
    }
  }
}

const notAnAddress = "must be a DNS name, not an IP address";

/** A host name, or all below one: `*.example.com`. */
const hostProblems: NameRule = (host) =>
  host.includes("*") ? wildcardProblems(host) : subdomainProblems(host);

const pathTypes = ["Exact", "ImplementationSpecific", "Prefix"];

export function validateIngress(object: Checker): void {
  const spec = object.at("spec");
  const rules = spec.items("rules");
  const backend = spec.maybe("defaultBackend");
  if (rules.length === 0 && backend === undefined) {
    object.invalid("spec", null, "either `defaultBackend` or `rules` must be specified");
  }
  validateBackend(backend);
  spec.named("ingressClassName", subdomainProblems);
  for (const tls of spec.items("tls")) {
    const hosts = tls.get("hosts");
    for (const [index, host] of (Array.isArray(hosts) ? hosts : []).entries())
      for (const problem of typeof host === "string" ? hostProblems(host) : [])
        tls.invalid(`hosts[${index}]`, host, problem);
    tls.named("secretName", subdomainProblems);
  }
  for (const rule of rules) {
    rule.named("host", (host) => (isIpv4(host) ? [notAnAddress] : hostProblems(host)));
    const http = rule.maybe("http");
    if (http === undefined) continue;
    http.require("paths");
    for (const path of http.items("paths")) {
      const text = path.text("path");
      const type = path.text("pathType");
      if (type === "") {
        path.add(requiredField(path.field("pathType"), "pathType must be specified"));
      } else if (!pathTypes.includes(type)) {
        path.add(notSupported(path.field("pathType"), type, pathTypes));
      } else if (!text.startsWith("/") && (type !== "ImplementationSpecific" || text !== "")) {
        path.invalid("path", text, "must be an absolute path");
      }
      validateBackend(path.maybe("backend"));
    }
  }
}

function validateBackend(backend: Checker | undefined): void {
  if (backend === undefined) return;
  const service = backend.maybe("service");
  if (service === undefined) {
    if (!backend.has("resource")) {
      backend.add({
        type: "FieldValueInvalid",
        field: backend.path,
        detail: 'Invalid value: "": resource or service backend is required',
      });
    }
    return;
  }
  if (backend.has("resource")) {
    backend.add(invalid(backend.path, "", "cannot set both resource and service backends"));
    return;
  }
  if (service.require("name")) service.named("name", labelProblems);
  const port = service.at("port");
  if (port.has("number") && port.has("name"))
    backend.add(invalid(backend.path, "", "cannot set both port name & port number"));
  if (Number(port.get("number") ?? 0) === 0 && port.text("name") === "") {
    backend.add(requiredField(backend.path, "port name or number is required"));
  }
  port.between("number", 0, 65_535);
}

export function validateNetworkPolicy(object: Checker): void {
  const spec = object.at("spec");
  validateSelector(spec.at("podSelector"));
  for (const [direction, peers] of [
    ["ingress", "from"],
    ["egress", "to"],
  ] as const) {
    for (const rule of spec.items(direction)) {
      for (const port of rule.items("ports")) validatePolicyPort(port);
      for (const peer of rule.items(peers)) validatePeer(peer);
    }
  }
  const types = spec.get("policyTypes");
  for (const [index, type] of (Array.isArray(types) ? types : []).entries()) {
    if (type === "Ingress" || type === "Egress") continue;
    spec.add(notSupported(`${spec.field("policyTypes")}[${index}]`, type, ["Ingress", "Egress"]));
  }
}

function validatePolicyPort(port: Checker): void {
  port.supported("protocol", ["TCP", "UDP", "SCTP"]);
  const [value, end] = [port.get("port"), port.get("endPort")];
  if (typeof value === "number") {
    port.between("port", 1, 65_535);
    if (typeof end === "number" && end < value)
      port.invalid("endPort", value, "must be greater than or equal to `port`");
    port.between("endPort", 1, 65_535);
  } else if (typeof value === "string") {
    if (end !== undefined)
      port.invalid("endPort", end, "may not be specified when `port` is non-numeric");
    for (const problem of portNameProblems(value)) port.invalid("port", value, problem);
  } else if (end !== undefined)
    port.invalid("endPort", end, "may not be specified when `port` is not specified");
}

function validatePeer(peer: Checker): void {
  const block = peer.maybe("ipBlock");
  const selectors = ["podSelector", "namespaceSelector"].flatMap((key) => peer.maybe(key) ?? []);
  for (const selector of selectors) validateSelector(selector);
  if (block !== undefined) validateBlock(block);
  if (block === undefined && selectors.length === 0)
    peer.add(requiredField(peer.path, "must specify a peer"));
  else if (block !== undefined && selectors.length > 0)
    peer.add(forbidden(peer.path, "may not specify both ipBlock and another peer"));
}

function validateBlock(block: Checker): void {
  const cidr = block.text("cidr");
  if (!block.require("cidr")) return;
  if (!isCidr(cidr)) {
    block.invalid("cidr", cidr, cidrDetail);
    return;
  }
  for (const [index, except] of block.texts("except").entries()) {
    const at = `except[${index}]`;
    if (!isCidr(except)) block.invalid(at, except, cidrDetail);
    else if (!isWithin(except, cidr))
      block.invalid(at, except, `must be a strict subset of \`cidr\``);
  }
}
