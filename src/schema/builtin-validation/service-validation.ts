import { duplicate, notSupported, requiredField } from "../field-error.ts";
import { isIpv4, isIpv6 } from "../string-format.ts";
import type { Checker } from "./checker.ts";
import { validateLabels } from "./metadata-validation.ts";
import { labelProblems, portNameProblems, subdomainProblems } from "./names.ts";
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
  if (address !== "" && !isHeadless && !isIpv4(address) && !isIpv6(address)) {
    const detail = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
    spec.invalid("clusterIPs[0]", address, detail);
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
  spec.oneOf("internalTrafficPolicy", ["Cluster", "Local"]);
  spec.oneOf("ipFamilyPolicy", ["PreferDualStack", "RequireDualStack", "SingleStack"]);
}

function validateServicePorts(spec: Checker, type: string): void {
  const ports = spec.items("ports");
  const names = new Set<string>();
  const seen = new Set<string>();
  for (const port of ports) {
    const name = port.text("name");
    if (ports.length > 1) port.require("name");
    port.named("name", labelProblems);
    if (name !== "" && names.has(name)) port.add(duplicate(port.field("name"), name));
    names.add(name);
    port.between("port", 1, 65_535);
    port.oneOf("protocol", ["SCTP", "TCP", "UDP"]);
    port.between("targetPort", 1, 65_535);
    if (typeof port.get("targetPort") === "string") port.named("targetPort", portNameProblems);
    const key = `${Number(port.get("port") ?? 0)}/${port.text("protocol")}`;
    if (seen.has(key)) port.add(duplicate(port.path, port.object));
    seen.add(key);
    if (type === "ClusterIP" && Number(port.get("nodePort") ?? 0) > 0) {
      port.forbid("nodePort", "may not be used when `type` is 'ClusterIP'");
    }
  }
}

const pathTypes = ["Exact", "ImplementationSpecific", "Prefix"];

export function validateIngress(object: Checker): void {
  const spec = object.at("spec");
  const rules = spec.items("rules");
  const backend = spec.maybe("defaultBackend");
  if (rules.length === 0 && backend === undefined) {
    object.invalid("spec", null, "either `defaultBackend` or `rules` must be specified");
  }
  validateBackend(backend);
  for (const rule of rules) {
    rule.named("host", (host) => subdomainProblems(host.replace(/^\*\./, "")));
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
  service.require("name");
  const port = service.at("port");
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
      for (const port of rule.items("ports")) {
        port.oneOf("protocol", ["SCTP", "TCP", "UDP"]);
        port.between("port", 1, 65_535);
        if (typeof port.get("port") === "string") port.named("port", portNameProblems);
      }
      for (const peer of rule.items(peers)) validatePeer(peer);
    }
  }
  const types = spec.get("policyTypes");
  for (const [index, type] of (Array.isArray(types) ? types : []).entries()) {
    if (type === "Ingress" || type === "Egress") continue;
    spec.add(notSupported(`${spec.field("policyTypes")}[${index}]`, type, ["Ingress", "Egress"]));
  }
}

function validatePeer(peer: Checker): void {
  const block = peer.maybe("ipBlock");
  const podSelector = peer.maybe("podSelector");
  const namespaceSelector = peer.maybe("namespaceSelector");
  if (podSelector !== undefined) validateSelector(podSelector);
  if (namespaceSelector !== undefined) validateSelector(namespaceSelector);
  if (block === undefined) {
    if (podSelector === undefined && namespaceSelector === undefined) {
      peer.add(requiredField(peer.path, "must specify a peer"));
    }
    return;
  }
  const cidr = block.text("cidr");
  const [address = "", length = ""] = cidr.split("/");
  if (!block.require("cidr")) return;
  if (!/^\d+$/.test(length) || (!isIpv4(address) && !isIpv6(address))) {
    const detail = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";
    block.invalid("cidr", cidr, detail);
  }
}
