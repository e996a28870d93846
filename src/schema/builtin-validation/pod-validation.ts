import { duplicate, forbidden, invalid, notSupported, requiredField } from "../field-error.ts";
import { addressDetail, isAddress } from "./address-validation.ts";
import { validateAffinity, validateTopologySpread } from "./affinity-validation.ts";
import type { Checker } from "./checker.ts";
import { validateAmounts, validateContainers, validateResources } from "./container-validation.ts";
import { validateLabels } from "./metadata-validation.ts";
import {
  labelProblems,
  labelValueProblems,
  qualifiedNameProblems,
  subdomainProblems,
} from "./names.ts";
import {
  validateHostProcess,
  validateOperatingSystem,
  validatePodSecurity,
} from "./security-validation.ts";
import { validateVolumes } from "./volume-validation.ts";

/** What a pod spec is the spec of. */
export interface PodUse {
  /** Whether it is that of a pod itself, and not of a template. */
  readonly isPod: boolean;
  readonly podName?: string;
}

/** The spec of a pod or of a pod template. */
export function validatePodSpec(spec: Checker, use: PodUse = { isPod: false }): void {
  const volumes = validateVolumes(spec, use.podName ?? "");
  const claims = validateClaims(spec);
  spec.require("containers");
  const names = new Set<string>();
  for (const key of ["containers", "initContainers"] as const)
    validateContainers(spec, key, { volumes, claims, names, isPod: use.isPod });
  spec.requireOneOf("restartPolicy", ["Always", "OnFailure", "Never"]);
  spec.requireOneOf("dnsPolicy", ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"]);
  validateLabels(spec, "nodeSelector");
  for (const key of ["serviceAccountName", "nodeName", "priorityClassName", "runtimeClassName"])
    spec.named(key, subdomainProblems);
  spec.named("hostname", labelProblems);
  spec.named("subdomain", labelProblems);
  spec.between("activeDeadlineSeconds", 1, 2_147_483_647);
  validateTolerations(spec);
  validateDns(spec);
  validateHostAliases(spec);
  const affinity = spec.maybe("affinity");
  if (affinity !== undefined) validateAffinity(affinity);
  validateTopologySpread(spec);
  for (const gate of spec.items("readinessGates"))
    for (const problem of qualifiedNameProblems(gate.text("conditionType")))
      gate.invalid("conditionType", gate.text("conditionType"), problem);
  validateSchedulingGates(spec);
  validateSecurity(spec, use.isPod);
  const overhead = spec.entries("overhead");
  for (const [name, amount] of overhead)
    validateAmounts(spec, `overhead.limits[${name}]`, name, amount);
  const resources = spec.maybe("resources");
  if (resources !== undefined) {
    validateResources(resources, claims, "pod");
    if (resources.items("claims").length > 0)
      resources.forbid("claims", "claims may not be set for Resources at pod-level");
  }
  if (spec.has("preemptionPolicy")) {
    const policies = ["PreemptLowerPriority", "Never"];
    const policy = spec.text("preemptionPolicy");
    if (policy === "") spec.require("preemptionPolicy");
    else spec.oneOf("preemptionPolicy", policies);
  }
}

function validateSecurity(spec: Checker, isPod: boolean): void {
  const context = spec.maybe("securityContext");
  if (context !== undefined) validatePodSecurity(context);
  const containers = [...spec.items("initContainers"), ...spec.items("containers")];
  validateOperatingSystem(spec, containers);
  validateHostProcess(spec, containers);
  if (spec.get("hostNetwork") === true) {
    for (const port of [...spec.items("containers"), ...spec.items("initContainers")].flatMap(
      (container) => container.items("ports"),
    )) {
      const [host, own] = [Number(port.get("hostPort") ?? 0), port.get("containerPort")];
      if (host === own || (host === 0 && !isPod)) continue;
      const detail = "must match `containerPort` when `hostNetwork` is true";
      port.invalid("hostPort", host, detail);
    }
  }
  const sharesProcesses = spec.get("shareProcessNamespace") === true;
  if (sharesProcesses && spec.get("hostPID") === true) {
    const detail = "ShareProcessNamespace and HostPID cannot both be enabled";
    spec.invalid("shareProcessNamespace", true, detail);
  }
  if (spec.get("hostUsers") === false) {
    for (const [key, shown] of [
      ["hostNetwork", "hostNetwork"],
      ["hostPID", "HostPID"],
      ["hostIPC", "HostIPC"],
    ] as const)
      if (spec.get(key) === true) spec.forbid(shown, "when `hostUsers` is false");
    for (const container of containers)
      if (container.items("volumeDevices").length > 0)
        container.forbid("volumeDevices", "when `hostUsers` is false");
  }
  if (spec.has("hostnameOverride")) {
    const name = spec.text("hostnameOverride");
    if (spec.get("hostNetwork") === true)
      spec.forbid("hostnameOverride", "may not be specified when hostNetwork is true");
    if (spec.get("setHostnameAsFQDN") === true)
      spec.forbid("hostnameOverride", "may not be specified when setHostnameAsFQDN is true");
    for (const problem of subdomainProblems(name)) spec.invalid("hostnameOverride", name, problem);
    if (name.length > 64)
      spec.add({
        type: "FieldValueTooLong",
        field: spec.field("hostnameOverride"),
        detail: "Too long: may not be more than 64 bytes",
      });
  }
}

function validateClaims(spec: Checker): ReadonlySet<string> {
  const names = new Set<string>();
  for (const claim of spec.items("resourceClaims")) {
    const name = claim.text("name");
    if (names.has(name) && name !== "") claim.add(duplicate(claim.field("name"), name));
    else claim.requireNamed("name", labelProblems);
    if (name !== "") names.add(name);
    const [own, template] = [
      claim.get("resourceClaimName"),
      claim.get("resourceClaimTemplateName"),
    ];
    if (own !== undefined && template !== undefined) {
      const detail =
        "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified";
      claim.add(invalid(claim.path, claim.object, detail));
    }
    if (own === undefined && template === undefined) {
      const detail = "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`";
      claim.add(invalid(claim.path, claim.object, detail));
    }
    for (const [key, value] of [
      ["resourceClaimName", own],
      ["resourceClaimTemplateName", template],
    ] as const)
      if (typeof value === "string")
        for (const problem of subdomainProblems(value)) claim.invalid(key, value, problem);
  }
  return names;
}

const searchPattern =
  /^[a-z0-9_](?:[-a-z0-9_]*[a-z0-9_])?(?:\.[a-z0-9_](?:[-a-z0-9_]*[a-z0-9_])?)*$/;
const searchDetail =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character";

function validateDns(spec: Checker): void {
  const config = spec.maybe("dnsConfig");
  if (spec.text("dnsPolicy") === "None") {
    if (config === undefined) {
      spec.require("dnsConfig", "must provide `dnsConfig` when `dnsPolicy` is None");
      return;
    }
    const detail = "must provide at least one DNS nameserver when `dnsPolicy` is None";
    if (!config.require("nameservers", detail)) return;
  }
  if (config === undefined) return;
  const servers = config.texts("nameservers");
  if (servers.length > 3)
    config.invalid("nameservers", servers, "must not have more than 3 nameservers");
  for (const [index, server] of servers.entries())
    if (!isAddress(server)) config.invalid(`nameservers[${index}]`, server, addressDetail);
  const searches = config.texts("searches");
  if (searches.length > 32)
    config.invalid("searches", searches, "must not have more than 32 search paths");
  if (searches.join(" ").length > 2048) {
    const detail = "must not have more than 2048 characters (including spaces) in the search list";
    config.invalid("searches", searches, detail);
  }
  for (const [index, search] of searches.entries()) {
    const name = search.replace(/\.$/, "");
    if (search === ".") continue;
    if (!searchPattern.test(name)) config.invalid(`searches[${index}]`, name, searchDetail);
    if (name.length > 253)
      config.invalid(`searches[${index}]`, name, "must be no more than 253 characters");
  }
  for (const option of config.items("options"))
    if (option.text("name") === "") option.add(requiredField(option.path, "must not be empty"));
}

function validateHostAliases(spec: Checker): void {
  for (const alias of spec.items("hostAliases")) {
    if (!isAddress(alias.text("ip"))) alias.invalid("ip", alias.text("ip"), addressDetail);
    alias.eachNamed("hostnames", subdomainProblems);
  }
}

function validateSchedulingGates(spec: Checker): void {
  const names = new Set<string>();
  for (const gate of spec.items("schedulingGates")) {
    const name = gate.text("name");
    for (const problem of qualifiedNameProblems(name)) gate.add(invalid(gate.path, name, problem));
    if (names.has(name)) gate.add(duplicate(gate.path, name));
    names.add(name);
  }
  if (names.size > 0 && spec.text("nodeName") !== "") {
    const detail = "cannot be set until all schedulingGates have been cleared";
    spec.add(forbidden(spec.field("nodeName"), detail));
  }
}

export function validateTolerations(spec: Checker): void {
  for (const toleration of spec.items("tolerations")) validateToleration(toleration);
}

function validateToleration(toleration: Checker): void {
  const operator = toleration.text("operator");
  const [key, value, effect] = ["key", "value", "effect"].map((each) => toleration.text(each)) as [
    string,
    string,
    string,
  ];
  toleration.named("key", qualifiedNameProblems);
  if (key === "" && operator !== "Exists") {
    const detail =
      'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    toleration.invalid("operator", operator, detail);
  }
  if (toleration.has("tolerationSeconds") && effect !== "NoExecute") {
    const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
    toleration.invalid("effect", effect, detail);
  }
  if (operator === "Exists" && value !== "") {
    toleration.invalid("operator", operator, "value must be empty when `operator` is 'Exists'");
  }
  const problems = labelValueProblems(value);
  if (["", "Equal"].includes(operator) && problems.length > 0)
    toleration.invalid("operator", value, problems.join(";"));
  if (!["", "Equal", "Exists"].includes(operator)) {
    toleration.add(notSupported(toleration.field("operator"), operator, ["Equal", "Exists"]));
  }
  toleration.oneOf("effect", ["NoSchedule", "PreferNoSchedule", "NoExecute"]);
}
