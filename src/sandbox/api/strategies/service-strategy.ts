import type { KubernetesObject } from "../../../objects/index.ts";
import {
  type FieldError,
  forbidden,
  invalid as invalidField,
  isIpv4,
} from "../../../schema/index.ts";
import type { ApiContext } from "../api-context.ts";
import { invalidStatus } from "../status.ts";
import type { Strategy } from "../strategy.ts";
import { isInServiceRange, othersAllocations, serviceRange } from "./service-allocations.ts";
import { type ServicePort, type ServiceSpec, specOf } from "./service-spec.ts";

/** A service gets addresses and node ports, and keeps them as long as its type needs them. */
export const serviceStrategy: Partial<Strategy> = {
  createOnUpdate: true,
  initialStatus: { loadBalancer: {} },
  returnsDeletedObject: true,
  prepareCreate: (service, context) => {
    const spec = specOf(service);
    requireNoAddress(service, spec);
    return { ...service, spec: allocate(context, service, spec) };
  },
  prepareUpdate: (service, old, context) => {
    const before = specOf(old);
    const spec = dropTypeFields(specOf(service), before);
    const needsAddress = spec.type !== "ExternalName" && before.type !== "ExternalName";
    const kept = needsAddress
      ? {
          ...spec,
          ...keepUnset(spec, before, "clusterIP"),
          ...keepUnset(spec, before, "clusterIPs"),
          ...keepUnset(spec, before, "ipFamilies"),
          ...keepUnset(spec, before, "ipFamilyPolicy"),
          ports: keepNodePorts(spec, before),
        }
      : spec;
    return { ...service, spec: allocate(context, service, withoutForeignFields(kept, before)) };
  },
};

/** Fields that only types with an address from outside have; those left over from such a type go. */
const outsideFields = [
  "externalTrafficPolicy",
  "healthCheckNodePort",
  "allocateLoadBalancerNodePorts",
  "loadBalancerClass",
];

function withoutForeignFields(spec: ServiceSpec, before: ServiceSpec): ServiceSpec {
  if (spec.type === before.type || spec.type === "LoadBalancer") return spec;
  const dropped = spec.type === "NodePort" ? outsideFields.slice(1) : outsideFields;
  const isLeftOver = (key: string): boolean => dropped.includes(key) && spec[key] === before[key];
  return Object.fromEntries(Object.entries(spec).filter(([key]) => !isLeftOver(key)));
}

const typeFields: readonly (readonly [field: string, needs: (spec: ServiceSpec) => boolean])[] = [
  ["externalTrafficPolicy", ({ type }) => type === "NodePort" || type === "LoadBalancer"],
  ["allocateLoadBalancerNodePorts", ({ type }) => type === "LoadBalancer"],
  ["loadBalancerClass", ({ type }) => type === "LoadBalancer"],
  ["healthCheckNodePort", ({ type }) => type === "LoadBalancer"],
];

/** What only the former type needed goes with it, unless it was changed on purpose. */
function dropTypeFields(spec: ServiceSpec, before: ServiceSpec): ServiceSpec {
  const dropped = typeFields
    .filter(([field, needs]) => needs(before) && !needs(spec) && spec[field] === before[field])
    .map(([field]) => field);
  if (dropped.length === 0) return spec;
  return Object.fromEntries(Object.entries(spec).filter(([field]) => !dropped.includes(field)));
}

function keepUnset(
  spec: ServiceSpec,
  before: ServiceSpec,
  field: string,
): Readonly<Record<string, unknown>> {
  const isUnset = spec[field] === undefined || spec[field] === "";
  return isUnset && before[field] !== undefined ? { [field]: before[field] } : {};
}

function keepNodePorts(spec: ServiceSpec, before: ServiceSpec): readonly ServicePort[] {
  if (!needsNodePorts(spec))
    return (spec.ports ?? []).map(({ nodePort: _nodePort, ...port }) => port);
  return (spec.ports ?? []).map((port) => {
    if (port.nodePort !== undefined) return port;
    const same = before.ports?.find(
      (each) => each.port === port.port && each.protocol === port.protocol,
    );
    return same?.nodePort === undefined ? port : { ...port, nodePort: same.nodePort };
  });
}

function allocate(context: ApiContext, service: KubernetesObject, spec: ServiceSpec): ServiceSpec {
  if (spec.type === "ExternalName") {
    const {
      clusterIP: _ip,
      clusterIPs: _ips,
      ipFamilies: _families,
      ipFamilyPolicy: _policy,
      ...rest
    } = spec;
    return rest;
  }
  const others = othersAllocations(context.store, service);
  const given = spec.clusterIP ?? "";
  const problems = addressProblems(spec, given);
  if (problems.length === 0 && given !== "" && given !== "None" && others.hasAddress(given))
    problems.push(notAllocated(given, "provided IP is already allocated"));
  if (problems.length > 0)
    throw invalidStatus({ group: "", kind: "Service" }, service.metadata.name ?? "", problems);
  const clusterIP = given === "" ? others.freeAddress() : given;
  return {
    ...spec,
    clusterIP,
    clusterIPs: spec.clusterIPs ?? [clusterIP],
    ...families(spec, clusterIP),
    ...(needsNodePorts(spec) ? { ports: others.withNodePorts(spec.ports ?? []) } : {}),
  };
}

/** A service that is only a name for another has no addresses. */
function requireNoAddress(service: KubernetesObject, spec: ServiceSpec): void {
  if (spec.type !== "ExternalName") return;
  const given = ["clusterIP", "ipFamilies", "ipFamilyPolicy"].filter(
    (key) => spec[key] !== undefined && spec[key] !== "",
  );
  if (given.length === 0) return;
  const errors = given.map((key) => {
    const field = key === "clusterIP" ? "spec.clusterIPs" : `spec.${key}`;
    return forbidden(field, "may not be set for ExternalName services");
  });
  throw invalidStatus({ group: "", kind: "Service" }, service.metadata.name ?? "", errors);
}

function notAllocated(address: string, why: string): FieldError {
  return invalidField("spec.clusterIPs", [address], `failed to allocate IP ${address}: ${why}`);
}

/** What a cluster with one range of IPv4 addresses cannot give. */
function addressProblems(spec: ServiceSpec, given: string): FieldError[] {
  const listed = spec.clusterIPs ?? [];
  if (given === "" && listed.length > 0) {
    const detail = "must be empty when `clusterIP` is not specified";
    return [invalidField("spec.clusterIPs", listed, detail)];
  }
  if (listed[0] !== undefined && listed[0] !== given)
    return [invalidField("spec.clusterIPs", listed, "first value must match `clusterIP`")];
  const isOpen = given === "None" && spec["selector"] === undefined;
  const asked = (spec["ipFamilies"] ?? []) as readonly string[];
  const policy = spec["ipFamilyPolicy"];
  if (asked.length > 1 && new Set(asked).size > 1 && (policy ?? "SingleStack") === "SingleStack") {
    const detail =
      "must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified";
    return [invalidField("spec.ipFamilyPolicy", "SingleStack", detail)];
  }
  if (isOpen) return [];
  const problems = asked.flatMap((family, index) =>
    family === "IPv6"
      ? [invalidField(`spec.ipFamilies[${index}]`, family, "not configured on this cluster")]
      : [],
  );
  if (policy === "RequireDualStack") {
    const detail = "this cluster is not configured for dual-stack services";
    problems.push(invalidField("spec.ipFamilyPolicy", policy, detail));
  }
  if (problems.length > 0) return problems;
  if (given.includes(":"))
    return [invalidField("spec.clusterIPs[0]", [given], "IPv6 is not configured on this cluster")];
  const isOutside = isIpv4(given) && !isInServiceRange(given);
  return isOutside
    ? [
        notAllocated(
          given,
          `the provided IP (${given}) is not in the valid range. The range of valid IPs is ${serviceRange}`,
        ),
      ]
    : [];
}

/** A service without addresses and pods of its own may stand for any, of both families. */
function families(spec: ServiceSpec, clusterIP: string): Readonly<Record<string, unknown>> {
  const isOpen = clusterIP === "None" && spec["selector"] === undefined;
  return {
    ipFamilies: spec["ipFamilies"] ?? (isOpen ? ["IPv4", "IPv6"] : ["IPv4"]),
    ipFamilyPolicy: spec["ipFamilyPolicy"] ?? (isOpen ? "RequireDualStack" : "SingleStack"),
  };
}

function needsNodePorts({ type, allocateLoadBalancerNodePorts: allocates }: ServiceSpec): boolean {
  return type === "NodePort" || (type === "LoadBalancer" && allocates !== false);
}
