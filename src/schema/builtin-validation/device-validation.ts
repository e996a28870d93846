import { duplicate, invalid, notSupported, requiredField, tooLong } from "../field-error.ts";
import { validateNodeSelector } from "./affinity-validation.ts";
import type { Checker } from "./checker.ts";
import {
  identifierProblems,
  labelProblems,
  labelValueProblems,
  qualifiedNameProblems,
  subdomainProblems,
} from "./names.ts";
import { ofServer } from "./storage-validation.ts";
import { validateAnnotations, validateLabels } from "./metadata-validation.ts";

const effects = ["NoExecute", "NoSchedule", "None"];
const longestDriver = 63;

export function validateDeviceClass(object: Checker): void {
  const spec = object.at("spec");
  validateSelectors(spec);
  for (const config of spec.items("config")) validateOpaque(config);
  const name = spec.get("extendedResourceName");
  const isExtended =
    typeof name === "string" &&
    name.includes("/") &&
    !name.includes("kubernetes.io/") &&
    !name.startsWith("requests.") &&
    qualifiedNameProblems(`requests.${name}`).length === 0;
  if (typeof name === "string" && !isExtended)
    spec.invalid("extendedResourceName", name, "must be a valid extended resource name");
}

export function validateResourceClaim(object: Checker): void {
  validateDevices(object.at("spec").at("devices"));
}

export function validateResourceClaimTemplate(object: Checker): void {
  const spec = object.at("spec");
  const metadata = spec.at("metadata");
  for (const key of ofServer)
    if (metadata.has(key) && metadata.get(key) !== "")
      metadata.forbid(key === "uid" ? "uID" : key, "cannot be set");
  validateLabels(metadata, "labels");
  validateAnnotations(metadata);
  validateDevices(spec.at("spec").at("devices"));
}

function validateSelectors(request: Checker): void {
  for (const selector of request.items("selectors")) {
    const cel = selector.maybe("cel");
    if (cel === undefined) selector.require("cel");
    else cel.require("expression");
  }
}

function validateOpaque(config: Checker): void {
  const opaque = config.maybe("opaque");
  if (opaque === undefined) {
    config.require("opaque");
    return;
  }
  validateDriver(opaque);
  if (!opaque.has("parameters")) opaque.require("parameters");
  else if (opaque.maybe("parameters") === undefined)
    opaque.invalid("parameters", "<value omitted>", "must be a valid JSON object");
}

function validateDriver(checker: Checker): void {
  if (!checker.require("driver")) return;
  const name = checker.text("driver");
  if (name.length > longestDriver) checker.add(tooLong(checker.field("driver"), longestDriver));
  checker.named("driver", (text) => subdomainProblems(text.toLowerCase()));
}

function validateDevices(devices: Checker): void {
  const names = new Set<string>();
  for (const request of devices.items("requests")) {
    const name = request.text("name");
    for (const each of validateRequest(request)) names.add(`${name}/${each}`);
    if (names.has(name)) request.add(duplicate(request.path, name));
    names.add(name);
  }
  for (const constraint of devices.items("constraints")) {
    validateRequestNames(constraint, names);
    const given = ["matchAttribute", "distinctAttribute"].filter((key) => constraint.has(key));
    if (given.length !== 1) {
      const detail =
        'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';
      constraint.add(requiredField(constraint.path, detail));
    }
    for (const key of given) validateAttributeName(constraint, key, constraint.text(key), true);
  }
  for (const config of devices.items("config")) {
    validateRequestNames(config, names);
    validateOpaque(config);
  }
}

function validateRequestNames(user: Checker, names: ReadonlySet<string>): void {
  const given = user.texts("requests");
  for (const [index, name] of given.entries()) {
    const at = `requests[${index}]`;
    for (const part of name.split("/"))
      for (const problem of labelProblems(part)) user.invalid(at, part, problem);
    if (given.indexOf(name) < index) user.add(duplicate(user.field(at), name));
    if (names.has(name)) continue;
    const detail =
      "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
    user.invalid(at, name, detail);
  }
}

/** A request; the names of its alternatives come back. */
function validateRequest(request: Checker): readonly string[] {
  for (const problem of labelProblems(request.text("name")))
    request.invalid("name", request.text("name"), problem);
  const exactly = request.maybe("exactly");
  const alternatives = request.items("firstAvailable");
  const detail = "exactly one of `exactly` or `firstAvailable` is required";
  if (exactly === undefined && alternatives.length === 0)
    request.add(requiredField(request.path, detail));
  if (exactly !== undefined && alternatives.length > 0)
    request.add(invalid(request.path, null, `${detail}, but multiple fields are set`));
  if (exactly !== undefined) validateWanted(exactly);
  const names: string[] = [];
  for (const alternative of alternatives) {
    const name = alternative.text("name");
    for (const problem of labelProblems(name)) alternative.invalid("name", name, problem);
    if (names.includes(name)) alternative.add(duplicate(alternative.path, name));
    names.push(name);
    validateWanted(alternative);
  }
  return names;
}

function validateWanted(wanted: Checker): void {
  wanted.requireNamed("deviceClassName", subdomainProblems);
  validateSelectors(wanted);
  const mode = wanted.text("allocationMode");
  const count = Number(wanted.get("count") ?? 0);
  if (mode === "All") {
    const detail = "must not be specified when allocationMode is 'All'";
    if (count !== 0) wanted.invalid("count", count, detail);
  } else if (mode === "ExactCount") {
    if (count <= 0) wanted.invalid("count", count, "must be greater than zero");
  } else wanted.add(notSupported(wanted.field("allocationMode"), mode, ["All", "ExactCount"]));
  for (const toleration of wanted.items("tolerations")) validateToleration(toleration);
}

function validateToleration(toleration: Checker): void {
  const [operator, value] = [toleration.text("operator"), toleration.text("value")];
  toleration.named("key", qualifiedNameProblems);
  if (operator === "Exists") {
    const detail = "must be empty for operator `Exists`";
    if (value !== "") toleration.invalid("value", value, detail);
  } else if (operator === "Equal") {
    for (const problem of labelValueProblems(value)) toleration.invalid("value", value, problem);
  } else if (operator === "") toleration.require("operator");
  else toleration.add(notSupported(toleration.field("operator"), operator, ["Equal", "Exists"]));
  toleration.oneOf("effect", effects);
}

const longestIdentifier = 32;

/** `domain/name` or only the name of an attribute or capacity of a device. */
function validateAttributeName(
  checker: Checker,
  key: string,
  name: string,
  mustHaveDomain: boolean,
): void {
  // The server looks no closer at what has more parts.
  if (name.split("/").length > 2) return;
  const slash = name.indexOf("/");
  const [domain, own] =
    slash < 0 ? [undefined, name] : [name.slice(0, slash), name.slice(slash + 1)];
  if (domain === "") checker.invalid(key, "", "the domain must not be empty");
  else if (domain !== undefined) {
    if (domain.length > longestDriver) checker.add(tooLong(checker.field(key), longestDriver));
    for (const problem of subdomainProblems(domain.toLowerCase()))
      checker.invalid(key, domain, problem);
  } else if (mustHaveDomain)
    checker.invalid(
      key,
      name,
      "a fully qualified name must be a domain and a name separated by a slash",
    );
  if (own === "" && slash >= 0) checker.invalid(key, "", "the name must not be empty");
  else {
    if (own.length > longestIdentifier) checker.add(tooLong(checker.field(key), longestIdentifier));
    for (const problem of identifierProblems(own)) checker.invalid(key, own, problem);
  }
}

const places = ["nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection"];

export function validateResourceSlice(object: Checker): void {
  const spec = object.at("spec");
  validateDriver(spec);
  const pool = spec.at("pool");
  if (pool.require("name"))
    for (const part of pool.text("name").split("/"))
      for (const problem of subdomainProblems(part))
        pool.invalid("name", pool.text("name"), problem);
  const count = Number(pool.get("resourceSliceCount") ?? 0);
  if (count <= 0) pool.invalid("resourceSliceCount", count, "must be greater than zero");
  const generation = Number(pool.get("generation") ?? 0);
  if (generation < 0) pool.invalid("generation", generation, "must be greater than or equal to 0");
  validatePlaces(spec);
  const devices = spec.items("devices");
  if (devices.length > 0 && spec.items("sharedCounters").length > 0) {
    const detail = "only one of `sharedCounters` or `devices` is allowed";
    spec.add(invalid(spec.path, "", detail));
  }
  const names = new Set<string>();
  for (const device of devices) {
    const name = device.text("name");
    for (const problem of labelProblems(name)) device.invalid("name", name, problem);
    if (names.has(name)) device.add(duplicate(device.path, name));
    names.add(name);
    validateDevice(device, spec.get("perDeviceNodeSelection") === true);
  }
}

function validatePlaces(spec: Checker): void {
  const given = places.filter(
    (key) => spec.get(key) === true || spec.text(key) !== "" || spec.maybe(key) !== undefined,
  );
  const detail =
    "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";
  if (given.length > 1) {
    const shown = given.map((key) => `\`${key}\``).join(", ");
    spec.add(invalid(spec.path, `{${shown}}`, `${detail}, but multiple fields are set`));
  }
  if (spec.text("nodeName") === "" && spec.get("nodeName") === "")
    spec.invalid("nodeName", "", "must be either unset or set to a non-empty string");
  spec.named("nodeName", subdomainProblems);
  for (const key of ["allNodes", "perDeviceNodeSelection"])
    if (spec.get(key) === false) spec.invalid(key, false, "must be either unset or set to true");
  const wrong = places.some((key) => spec.get(key) === false || spec.get(key) === "");
  if (given.length === 0 && !wrong) spec.add(requiredField(spec.path, detail));
  const selector = spec.maybe("nodeSelector");
  if (selector === undefined) return;
  validateNodeSelector(selector);
  if (selector.items("nodeSelectorTerms").length !== 1) {
    const one = "must have exactly one term";
    selector.invalid("nodeSelectorTerms", selector.get("nodeSelectorTerms") ?? null, one);
  }
}

const values = ["bool", "int", "string", "version"];
const semanticVersion =
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

function validateDevice(device: Checker, isPlaced: boolean): void {
  for (const key of ["attributes", "capacity"])
    for (const [name] of device.entries(key)) validateAttributeName(device, key, name, false);
  const attributes = device.at("attributes");
  for (const [name] of device.entries("attributes")) {
    const attribute = attributes.at(name).moved(`${device.path}.attributes[${name}]`);
    const given = values.filter((key) => attribute.has(key));
    if (given.length === 0)
      attribute.add(invalid(attribute.path, "", "exactly one value must be specified"));
    if (given.length > 1)
      attribute.add(
        invalid(attribute.path, attribute.object, "exactly one value must be specified"),
      );
    for (const key of ["string", "version"])
      if (attribute.text(key).length > 64) attribute.add(tooLong(attribute.field(key), 64));
    const version = attribute.get("version");
    if (typeof version === "string" && !semanticVersion.test(version)) {
      const detail = "must be a string compatible with semver.org spec 2.0.0";
      attribute.invalid("version", version, detail);
    }
  }
  for (const taint of device.items("taints")) {
    for (const problem of qualifiedNameProblems(taint.text("key")))
      taint.invalid("key", taint.text("key"), problem);
    for (const problem of labelValueProblems(taint.text("value")))
      taint.invalid("value", taint.text("value"), problem);
    taint.requireOneOf("effect", effects);
  }
  for (const key of ["bindingConditions", "bindingFailureConditions"])
    device.eachNamed(key, qualifiedNameProblems);
  const [binding, failing] = [
    device.texts("bindingConditions"),
    device.texts("bindingFailureConditions"),
  ];
  if (binding.length > 0 && failing.length === 0) {
    const detail = "bindingFailureConditions are required to use bindingConditions";
    device.invalid("bindingFailureConditions", null, detail);
  }
  if (failing.length > 0 && binding.length === 0) {
    const detail = "bindingConditions are required to use bindingFailureConditions";
    device.invalid("bindingConditions", null, detail);
  }
  if (!isPlaced && ["nodeName", "nodeSelector", "allNodes"].some((key) => device.has(key))) {
    const detail =
      "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec";
    device.add(invalid(device.path, null, detail));
  }
}
