import { objectAt, objectsAt } from "../../json/index.ts";
import { type DefaultsByType, ensureObject, isSet, setDefault } from "./type-defaults.ts";

const clientIpTimeoutSeconds = 10_800;

/** Services and networking. What a server allocates (cluster IPs, node ports) is not here. */
export const serviceDefaults: DefaultsByType = {
  "core.v1.Service": (service) => {
    const spec = ensureObject(service, "spec");
    setDefault(spec, "sessionAffinity", "None");
    if (spec["sessionAffinity"] === "None") delete spec["sessionAffinityConfig"];
    if (spec["sessionAffinity"] === "ClientIP") {
      const clientIp = ensureObject(ensureObject(spec, "sessionAffinityConfig"), "clientIP");
      setDefault(clientIp, "timeoutSeconds", clientIpTimeoutSeconds);
    }
    setDefault(spec, "type", "ClusterIP");
    for (const port of objectsAt(spec, "ports")) {
      setDefault(port, "protocol", "TCP");
      if (port["targetPort"] === 0 || !isSet(port, "targetPort") || port["targetPort"] === "") {
        port["targetPort"] = port["port"] ?? 0;
      }
    }
    const type = spec["type"];
    const isExternal =
      type === "LoadBalancer" ||
      type === "NodePort" ||
      (type === "ClusterIP" && isSet(spec, "externalIPs"));
    if (isExternal) setDefault(spec, "externalTrafficPolicy", "Cluster");
    if (type !== "ExternalName") setDefault(spec, "internalTrafficPolicy", "Cluster");
    if (type === "LoadBalancer") setDefault(spec, "allocateLoadBalancerNodePorts", true);
    const balancer = objectAt(objectAt(service, "status") ?? {}, "loadBalancer") ?? {};
    for (const ingress of type === "LoadBalancer" ? objectsAt(balancer, "ingress") : []) {
      if (isSet(ingress, "ip")) setDefault(ingress, "ipMode", "VIP");
    }
  },
  "core.v1.EndpointPort": (port) => setDefault(port, "protocol", "TCP"),
  "discovery.v1.EndpointPort": (port) => {
    setDefault(port, "name", "");
    setDefault(port, "protocol", "TCP");
  },
  "networking.v1.NetworkPolicyPort": (port) => setDefault(port, "protocol", "TCP"),
  "networking.v1.NetworkPolicy": (policy) => {
    const spec = ensureObject(policy, "spec");
    if (isSet(spec, "policyTypes")) return;
    spec["policyTypes"] = isSet(spec, "egress") ? ["Ingress", "Egress"] : ["Ingress"];
  },
  "networking.v1.IngressClass": (ingressClass) => {
    const parameters = objectAt(ensureObject(ingressClass, "spec"), "parameters");
    if (parameters !== undefined) setDefault(parameters, "scope", "Cluster");
  },
};
