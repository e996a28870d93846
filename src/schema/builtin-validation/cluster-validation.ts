import { duplicate, forbidden, notSupported, requiredField } from "../field-error.ts";
import { cidrDetail, isAddress, isCidr } from "./address-validation.ts";
import type { Checker } from "./checker.ts";
import { validateLabels } from "./metadata-validation.ts";
import {
  dns1035Problems,
  finalizerProblems,
  labelProblems,
  labelValueProblems,
  pathSegmentProblems,
  qualifiedNameProblems,
  subdomainProblems,
} from "./names.ts";
import { validateTolerations } from "./pod-validation.ts";
import { validateAmounts } from "./container-validation.ts";

export function validateNode(object: Checker): void {
  const spec = object.at("spec");
  const seen = new Set<string>();
  for (const [index, taint] of spec.items("taints").entries()) {
    // The server says that they are in the metadata.
    const at = taint.moved(`metadata.taints[${index}]`);
    const key = at.text("key");
    for (const problem of qualifiedNameProblems(key)) at.invalid("key", key, problem);
    const value = at.text("value");
    const problems = labelValueProblems(value);
    if (problems.length > 0) at.invalid("value", value, problems.join(";"));
    at.requireOneOf("effect", ["NoSchedule", "PreferNoSchedule", "NoExecute"]);
    const pair = `${at.text("effect")} ${key}`;
    if (seen.has(pair)) at.add(duplicate(at.path, at.object));
    seen.add(pair);
  }
  const ranges = podRanges(spec);
  for (const [index, range] of ranges.entries())
    if (!isCidr(range)) spec.invalid(`podCIDRs[${index}]`, range, cidrDetail);
  if (ranges.length < 2) return;
  const families = new Set(ranges.map((range) => range.includes(":")));
  if (ranges.some((range) => !isCidr(range))) {
    const detail = "Internal error: invalid PodCIDRs. failed to check with dual stack";
    spec.add({ type: "InternalError", field: spec.field("podCIDRs"), detail });
  }
  if (families.size < 2 || ranges.length > 2 || ranges.some((range) => !isCidr(range)))
    spec.invalid("podCIDRs", ranges, "may specify no more than one CIDR for each IP family");
}

/** The addresses of the pods of a node. The older field counts where it says something else. */
export function podRanges(spec: Checker): readonly string[] {
  const [listed, single] = [spec.texts("podCIDRs"), spec.text("podCIDR")];
  return single === "" || listed[0] === single ? listed : [single];
}

export function validateNamespace(object: Checker): void {
  const spec = object.at("spec");
  // The server leaves the index out of this path.
  for (const name of spec.texts("finalizers"))
    for (const problem of finalizerProblems(name)) spec.invalid("finalizers", name, problem);
}

export function validateLease(object: Checker): void {
  const spec = object.at("spec");
  const seconds = spec.get("leaseDurationSeconds");
  if (typeof seconds === "number" && seconds <= 0)
    spec.invalid("leaseDurationSeconds", seconds, "must be greater than 0");
  spec.atLeast("leaseTransitions", 0);
}

const highestPriority = 1_000_000_000;

/** The classes that every server has, with their values. */
const systemPriorities: Readonly<Record<string, number>> = {
  "system-cluster-critical": 2_000_000_000,
  "system-node-critical": 2_000_001_000,
};

/** What a class with a reserved name has wrong; nothing for the two that there are. */
function systemClassProblem(
  name: string,
  value: number,
  isGlobalDefault: boolean,
): string | undefined {
  const known = systemPriorities[name];
  if (known === undefined) return `${name} is not a known system priority class`;
  if (value !== known) return `value of ${name} PriorityClass must be ${known}`;
  return isGlobalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

export function validatePriorityClass(object: Checker): void {
  const value = Number(object.get("value") ?? 0);
  const name = object.at("metadata").text("name");
  if (name.startsWith("system-")) {
    const why = systemClassProblem(name, value, object.get("globalDefault") === true);
    const detail = `priority class names with 'system-' prefix are reserved for system use only. error: ${why}`;
    if (why !== undefined) object.add(forbidden("metadata.name", detail));
  } else if (value > highestPriority) {
    const detail = `maximum allowed value of a user defined priority is ${highestPriority}`;
    object.forbid("value", detail);
  }
  object.oneOf("preemptionPolicy", ["PreemptLowerPriority", "Never"]);
}

export function validateRuntimeClass(object: Checker): void {
  object.requireNamed("handler", labelProblems);
  const overhead = object.maybe("overhead");
  if (overhead !== undefined)
    for (const [name, amount] of overhead.entries("podFixed"))
      validateAmounts(overhead, `limits[${name}]`, name, amount);
  const scheduling = object.maybe("scheduling");
  if (scheduling === undefined) return;
  validateLabels(scheduling, "nodeSelector");
  validateTolerations(scheduling);
  const seen = new Set<string>();
  for (const toleration of scheduling.items("tolerations")) {
    const same = ["key", "operator", "value", "effect"]
      .map((key) => toleration.text(key))
      .join(" ");
    if (seen.has(same)) toleration.add(duplicate(toleration.path, toleration.object));
    seen.add(same);
  }
}

export function validateControllerRevision(object: Checker): void {
  if (!object.has("data")) object.require("data", "data is mandatory");
  const revision = Number(object.get("revision") ?? 0);
  if (revision < 0) object.invalid("revision", revision, "must be greater than or equal to 0");
}

export function validateApiService(object: Checker): void {
  const spec = object.at("spec");
  const [group, version] = [spec.text("group"), spec.text("version")];
  const name = object.at("metadata").text("name");
  const expected = `${version}.${group}`;
  if (name !== expected)
    object.invalid(
      "metadata.name",
      name,
      `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(expected)}`,
    );
  spec.named("group", subdomainProblems);
  for (const problem of dns1035Problems(version)) spec.invalid("version", version, problem);
  for (const [key, most] of [
    ["groupPriorityMinimum", 20_000],
    ["versionPriority", 1000],
  ] as const) {
    const priority = Number(spec.get(key) ?? 0);
    if (priority <= 0 || priority > most)
      spec.invalid(key, priority, `must be positive and less than ${most}`);
  }
  const service = spec.maybe("service");
  const bundle = spec.text("caBundle");
  const isInsecure = spec.get("insecureSkipTLSVerify") === true;
  if (service === undefined) {
    if (bundle !== "")
      spec.invalid(
        "caBundle",
        `${bundle.length} bytes`,
        "local APIServices may not have a caBundle",
      );
    if (isInsecure)
      spec.invalid(
        "insecureSkipTLSVerify",
        true,
        "local APIServices may not have insecureSkipTLSVerify",
      );
    return;
  }
  service.require("namespace");
  service.require("name");
  const port = service.get("port");
  if (typeof port === "number" && (port < 1 || port > 65_535))
    service.invalid("port", port, "port is not valid: must be between 1 and 65535, inclusive");
  if (isInsecure && bundle !== "")
    spec.invalid("insecureSkipTLSVerify", true, "may not be true if caBundle is present");
}

const usages = [
  "any",
  "cert sign",
  "client auth",
  "code signing",
  "content commitment",
  "crl sign",
  "data encipherment",
  "decipher only",
  "digital signature",
  "email protection",
  "encipher only",
  "ipsec end system",
  "ipsec tunnel",
  "ipsec user",
  "key agreement",
  "key encipherment",
  "microsoft sgc",
  "netscape sgc",
  "ocsp signing",
  "s/mime",
  "server auth",
  "signing",
  "timestamping",
];

const shortestSeconds = 600;

export function validateSigningRequest(object: Checker): void {
  const spec = object.at("spec");
  const request = Buffer.from(spec.text("request"), "base64").toString("utf8");
  if (
    !/^-----BEGIN CERTIFICATE REQUEST-----\n[\s\S]+-----END CERTIFICATE REQUEST-----/m.test(request)
  )
    spec.invalid("request", spec.get("request"), "PEM block type must be CERTIFICATE REQUEST");
  const given = spec.texts("usages");
  spec.require("usages");
  for (const [index, usage] of given.entries()) {
    const at = `usages[${index}]`;
    if (!usages.includes(usage)) spec.add(notSupported(spec.field(at), usage, usages));
    if (given.indexOf(usage) < index) spec.add(duplicate(spec.field(at), usage));
  }
  if (spec.text("signerName") === "kubernetes.io/legacy-unknown") {
    const detail = "the legacy signerName is not allowed via this API version";
    spec.invalid("signerName", spec.text("signerName"), detail);
  } else validateSignerName(spec);
  const seconds = spec.get("expirationSeconds");
  if (typeof seconds === "number" && seconds < shortestSeconds) {
    const detail = `may not specify a duration less than ${shortestSeconds} seconds (10 minutes)`;
    spec.invalid("expirationSeconds", seconds, detail);
  }
}

const longestPath = 571;

function validateSignerName(spec: Checker): void {
  if (!spec.require("signerName")) return;
  const name = spec.text("signerName");
  const [domain = "", path, ...rest] = name.split("/");
  if (path === undefined || rest.length > 0) {
    const detail =
      "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    spec.invalid("signerName", name, detail);
    return;
  }
  for (const label of domain.split("."))
    for (const problem of labelProblems(label))
      spec.invalid("signerName", domain, `validating label ${JSON.stringify(label)}: ${problem}`);
  for (const problem of subdomainProblems(path)) spec.invalid("signerName", path, problem);
  if (domain.split(".").length < 2) {
    const detail = "should be a domain with at least two segments separated by dots";
    spec.invalid("signerName", domain, detail);
  }
  if (name.length > longestPath) spec.invalid("signerName", name, "Too long");
}

export function validateOldEvent(object: Checker): void {
  const isNew = object.has("eventTime");
  const involved = object.at("involvedObject").text("namespace");
  const own = object.at("metadata").text("namespace");
  const expected = involved === "" ? ["default", "kube-system", ""] : [involved];
  if (!expected.includes(own) && !(involved === "" && isNew))
    object.invalid("involvedObject.namespace", involved, "does not match event.namespace");
  if (isNew) validateReport(object);
}

const lengths = { reportingInstance: 128, action: 128, reason: 128, note: 1024 } as const;

/** An event of the newer API, whose fields have the names of the older one in the server's answers. */
export function validateNewEvent(object: Checker): void {
  validateReport(object);
}

function validateReport(object: Checker): void {
  if (!object.has("eventTime")) object.require("eventTime");
  // Updates see it as the older API has it.
  const key = object.has("reportingComponent") ? "reportingComponent" : "reportingController";
  const controller = object.text(key);
  if (controller === "") object.add(requiredField("reportingController"));
  for (const problem of qualifiedNameProblems(controller))
    object.invalid("reportingController", controller, problem);
  for (const key of ["reportingInstance", "action", "reason"] as const) {
    object.require(key);
    if (object.text(key).length > lengths[key])
      object.invalid(key, "", `can have at most ${lengths[key]} characters`);
  }
  if ((object.text("note") || object.text("message")).length > lengths.note)
    object.invalid("message", "", `can have at most ${lengths.note} characters`);
  const series = object.maybe("series");
  if (series !== undefined) {
    if (Number(series.get("count") ?? 0) < 2) series.invalid("count", "", "should be at least 2");
    if (!series.has("lastObservedTime"))
      series.add(requiredField(series.field("lastObservedTime")));
  }
  const type = object.text("type");
  if (!["Normal", "Warning"].includes(type))
    object.invalid("type", "", `has invalid value: ${type}`);
}

export function validateIngressClass(object: Checker): void {
  const spec = object.at("spec");
  const controller = spec.text("controller");
  if (spec.require("controller")) {
    if (controller.length > 250)
      spec.add({
        type: "FieldValueTooLong",
        field: spec.field("controller"),
        detail: "Too long: may not be more than 250 bytes",
      });
    const [domain = "", ...path] = controller.split("/");
    if (path.join("/") === "" || subdomainProblems(domain).length > 0)
      spec.invalid(
        "controller",
        controller,
        'must be a domain-prefixed path (such as "acme.io/foo")',
      );
  }
  const parameters = spec.maybe("parameters");
  if (parameters !== undefined) validateParameters(parameters);
}

function validateParameters(parameters: Checker): void {
  parameters.named("apiGroup", subdomainProblems);
  for (const key of ["kind", "name"]) parameters.requireNamed(key, pathSegmentProblems);
  const scope = parameters.text("scope");
  if (!parameters.has("scope")) parameters.require("scope");
  else parameters.oneOf("scope", ["Cluster", "Namespace"]);
  if (scope === "Namespace") {
    const detail = "`parameters.scope` is set to 'Namespace'";
    parameters.requireNamed("namespace", labelProblems, detail);
  }
  if (scope === "Cluster" && parameters.has("namespace"))
    parameters.forbid("namespace", "`parameters.scope` is set to 'Cluster'");
}

export function validateAddressObject(object: Checker): void {
  const spec = object.at("spec");
  const parent = spec.maybe("parentRef");
  if (parent === undefined) {
    spec.require("parentRef");
    return;
  }
  parent.named("group", subdomainProblems);
  for (const key of ["resource", "name"]) parent.requireNamed(key, pathSegmentProblems);
  parent.named("namespace", pathSegmentProblems);
}

export function addressNameProblems(name: string): readonly string[] {
  return isAddress(name) ? [] : ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"];
}

export function validateServiceCidr(object: Checker): void {
  const spec = object.at("spec");
  const ranges = spec.texts("cidrs");
  if (!spec.require("cidrs", "at least one CIDR required")) return;
  for (const [index, range] of ranges.entries()) {
    if (!isCidr(range)) spec.invalid(`cidrs[${index}]`, range, cidrDetail);
  }
  const families = new Set(ranges.map((range) => range.includes(":")));
  if (ranges.length > 2 || (ranges.length === 2 && families.size < 2))
    spec.invalid("cidrs", ranges, "may only hold up to 2 values");
}
