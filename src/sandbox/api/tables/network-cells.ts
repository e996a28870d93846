import type { KubernetesObject } from "../../../objects/index.ts";
import { aged, ageOf } from "./age.ts";
import type { CellsOf } from "./column.ts";
import {
  formatLabels,
  formatSelector,
  listWithMore,
  loadBalancerAddresses,
} from "./format-cells.ts";
import { at, listAt, numberAt, recordAt, textIn, textOr } from "./read-fields.ts";

/** The rows of services and what leads to them. */
export const networkCells: Readonly<Record<string, CellsOf>> = {
  "/services": (object, now) => [
    object.metadata.name,
    textIn(object, "spec.type"),
    textOr(object, "spec.clusterIPs.0", "<none>"),
    externalAddress(object),
    servicePorts(object),
    ageOf(object, now),
    formatLabels(recordAt(object, "spec.selector")),
  ],
  "/endpoints": aged((object) => [endpointsText(object)]),
  "discovery.k8s.io/endpointslices": aged((object) => [
    textIn(object, "addressType"),
    listWithMore(listAt(object, "ports").map(portText), 3, "<unset>"),
    listWithMore(
      listAt(object, "endpoints").flatMap((each) => listAt(each, "addresses").map(String)),
      3,
      "<unset>",
    ),
  ]),
  "networking.k8s.io/ingresses": aged((object) => [
    textOr(object, "spec.ingressClassName", "<none>"),
    ingressHosts(object),
    loadBalancerAddresses(object),
    listAt(object, "spec.tls").length > 0 ? "80, 443" : "80",
  ]),
  "networking.k8s.io/ingressclasses": (object, now) => [
    `${object.metadata.name ?? ""}${isDefault(object) ? " (default)" : ""}`,
    textIn(object, "spec.controller"),
    parametersText(object),
    ageOf(object, now),
  ],
  "networking.k8s.io/networkpolicies": aged((object) => [
    formatSelector(at(object, "spec.podSelector")),
  ]),
  "networking.k8s.io/servicecidrs": aged((object) => [listAt(object, "spec.cidrs").join(",")]),
  "networking.k8s.io/ipaddresses": aged((object) => [parentText(object)]),
};

function externalAddress(service: KubernetesObject): string {
  const given = listAt(service, "spec.externalIPs").map(String);
  switch (textIn(service, "spec.type")) {
    case "ClusterIP":
    case "NodePort":
      return given.length > 0 ? given.join(",") : "<none>";
    case "LoadBalancer": {
      const addresses = loadBalancerAddresses(service);
      const all = [...(addresses === "" ? [] : [addresses]), ...given];
      return all.length > 0 ? all.join(",") : "<pending>";
    }
    case "ExternalName":
      return textIn(service, "spec.externalName");
    default:
      return "<unknown>";
  }
}

function servicePorts(service: KubernetesObject): string {
  const ports = listAt(service, "spec.ports").map((each) => {
    const nodePort = numberAt(each, "nodePort");
    const number = nodePort > 0 ? `${numberAt(each, "port")}:${nodePort}` : numberAt(each, "port");
    return `${number}/${textIn(each, "protocol")}`;
  });
  return ports.length === 0 ? "<none>" : ports.join(",");
}

function endpointsText(endpoints: KubernetesObject): string {
  const subsets = listAt(endpoints, "subsets");
  if (subsets.length === 0) return "<none>";
  const all = subsets.flatMap((subset) => {
    const addresses = listAt(subset, "addresses").map((each) => textIn(each, "ip"));
    const ports = listAt(subset, "ports");
    if (ports.length === 0) return addresses;
    return ports.flatMap((port) =>
      addresses.map((address) => joinHostPort(address, String(numberAt(port, "port")))),
    );
  });
  return listWithMore(all, 3, "");
}

function joinHostPort(host: string, port: string): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

function portText(port: unknown): string {
  if (at(port, "port") !== undefined) return String(numberAt(port, "port"));
  return at(port, "name") === undefined ? "*" : textIn(port, "name");
}

/** Rules are counted, hosts are listed: that is how many "more" there are. */
function ingressHosts(ingress: KubernetesObject): string {
  const most = 3;
  const rules = listAt(ingress, "spec.rules");
  const hosts: string[] = [];
  let isCut = false;
  for (const rule of rules) {
    if (hosts.length === most) isCut = true;
    const host = textIn(rule, "host");
    if (!isCut && host !== "") hosts.push(host);
  }
  if (hosts.length === 0) return "*";
  return isCut ? `${hosts.join(",")} + ${rules.length - most} more...` : hosts.join(",");
}

function isDefault({ metadata }: KubernetesObject): boolean {
  return metadata.annotations?.["ingressclass.kubernetes.io/is-default-class"] === "true";
}

function parametersText(ingressClass: KubernetesObject): string {
  const parameters = at(ingressClass, "spec.parameters");
  if (parameters === undefined) return "<none>";
  const group =
    at(parameters, "apiGroup") === undefined ? "" : `.${textIn(parameters, "apiGroup")}`;
  return `${textIn(parameters, "kind")}${group}/${textIn(parameters, "name")}`;
}

function parentText(address: KubernetesObject): string {
  const parent = at(address, "spec.parentRef");
  if (parent === undefined) return "<none>";
  const group = textIn(parent, "group");
  const namespace = textIn(parent, "namespace");
  const resource = `${textIn(parent, "resource")}${group === "" ? "" : `.${group}`}`;
  return `${resource.toLowerCase()}${namespace === "" ? "" : `/${namespace}`}/${textIn(parent, "name")}`;
}
