import { compareQuantities } from "../quantity.ts";
import { duplicate, forbidden, notSupported, requiredField, tooLong } from "../field-error.ts";
import type { Checker } from "./checker.ts";
import { driverNameProblems, qualifiedNameProblems, subdomainProblems } from "./names.ts";
import { validateSelector } from "./selector-validation.ts";

export function validateStorageClass(object: Checker): void {
  validateDriver(object, "provisioner");
  validateParameters(object);
  object.oneOf("reclaimPolicy", ["Delete", "Retain"]);
  const modes = ["Immediate", "WaitForFirstConsumer"];
  const mode = object.text("volumeBindingMode");
  if (!modes.includes(mode)) object.add(notSupported("volumeBindingMode", mode, modes));
  const seen = new Set<string>(["{}"]);
  for (const term of object.items("allowedTopologies")) {
    const values: Record<string, readonly string[]> = {};
    for (const each of term.items("matchLabelExpressions")) {
      const key = each.text("key");
      for (const problem of qualifiedNameProblems(key)) each.invalid("key", key, problem);
      if (key in values) each.add(duplicate(each.field("key"), key));
      const given = each.texts("values");
      each.require("values");
      for (const [index, value] of given.entries())
        if (given.indexOf(value) < index)
          each.add(duplicate(each.field(`values[${index}]`), value));
      values[key] = [...new Set(given)].sort();
    }
    const text = JSON.stringify(
      Object.keys(values)
        .sort()
        .map((key) => [key, values[key]]),
    );
    const same = text === "[]" ? "{}" : text;
    if (seen.has(same)) term.add(duplicate(term.field("matchLabelExpressions"), ""));
    seen.add(same);
  }
}

function validateDriver(object: Checker, key: string): void {
  if (!object.require(key)) return;
  const name = object.text(key);
  for (const problem of qualifiedNameProblems(name.toLowerCase()))
    object.invalid(key, name, problem);
}

const mostParameters = 512;
const parameterBytes = 256 * 1024;

function validateParameters(object: Checker): void {
  const entries = object.entries("parameters");
  if (entries.length > mostParameters) object.add(tooLong("parameters", mostParameters));
  let bytes = 0;
  for (const [key, value] of entries) {
    if (key === "") object.invalid("parameters", key, "field can not be empty.");
    bytes += Buffer.byteLength(key) + (typeof value === "string" ? Buffer.byteLength(value) : 0);
  }
  if (bytes > parameterBytes) object.add(tooLong("parameters", parameterBytes));
}

export function validateVolumeAttributesClass(object: Checker): void {
  validateDriver(object, "driverName");
  validateParameters(object);
  if (object.entries("parameters").length === 0)
    object.add(requiredField("parameters", "must contain at least one key/value pair"));
}

export function validateCsiDriver(object: Checker): void {
  const spec = object.at("spec");
  const policies = ["File", "None", "ReadWriteOnceWithFSType"];
  const policy = spec.get("fsGroupPolicy");
  if (typeof policy === "string" && !policies.includes(policy))
    spec.add(notSupported(spec.field("fsGroupPolicy"), policy, policies));
  const audiences = new Set<string>();
  for (const request of spec.items("tokenRequests")) {
    const audience = request.text("audience");
    if (audiences.has(audience)) {
      request.add(duplicate(request.field("audience"), audience));
      continue;
    }
    audiences.add(audience);
    const seconds = request.get("expirationSeconds");
    if (typeof seconds !== "number") continue;
    if (seconds < 600) {
      const detail = "may not specify a duration less than 10 minutes";
      request.invalid("expirationSeconds", seconds, detail);
    }
    if (seconds > 2 ** 32) {
      const detail = "may not specify a duration larger than 2^32 seconds";
      request.invalid("expirationSeconds", seconds, detail);
    }
  }
  const modes = ["Persistent", "Ephemeral"];
  for (const mode of spec.texts("volumeLifecycleModes"))
    if (!modes.includes(mode))
      spec.add(notSupported(spec.field("volumeLifecycleModes"), mode, modes));
  const period = spec.get("nodeAllocatableUpdatePeriodSeconds");
  if (typeof period === "number" && period < 10) {
    const detail = "must be greater than or equal to 10 seconds";
    spec.invalid("nodeAllocatableUpdatePeriodSeconds", period, detail);
  }
  if (spec.has("serviceAccountTokenInSecrets") && spec.items("tokenRequests").length === 0) {
    const detail = "serviceAccountTokenInSecrets is set but no tokenRequests are specified";
    const value = spec.get("serviceAccountTokenInSecrets");
    spec.invalid("serviceAccountTokenInSecrets", value, detail);
  }
}

const longestNodeId = 256;

export function validateCsiNode(object: Checker): void {
  const spec = object.at("spec");
  spec.unique("drivers", "name");
  for (const driver of spec.items("drivers")) {
    driver.requireNamed("name", driverNameProblems);
    driver.require("nodeID");
    if (driver.text("nodeID").length > longestNodeId) {
      const detail = `must be ${longestNodeId} characters or less`;
      driver.invalid("nodeID", driver.text("nodeID"), detail);
    }
    driver.maybe("allocatable")?.atLeast("count", 0);
    // The server names the driver where a key is wrong.
    const seen = new Set<string>();
    const at = driver.path;
    for (const key of driver.texts("topologyKeys")) {
      if (key === "") driver.add(requiredField(at, key));
      if (seen.has(key)) driver.add(duplicate(at, key));
      seen.add(key);
      for (const problem of qualifiedNameProblems(key))
        driver.add({
          type: "FieldValueInvalid",
          field: at,
          detail: `Invalid value: ${JSON.stringify(key)}: ${problem}`,
        });
    }
  }
}

export function validateCsiCapacity(object: Checker): void {
  const topology = object.maybe("nodeTopology");
  if (topology !== undefined) validateSelector(topology);
  const name = object.text("storageClassName");
  for (const problem of subdomainProblems(name)) object.invalid("storageClassName", name, problem);
  const capacity = object.get("capacity");
  if (typeof capacity === "string" && (compareQuantities(capacity, "0") ?? 0) < 0)
    object.invalid("capacity", capacity, "must be greater than or equal to 0");
}

export function validateVolumeAttachment(object: Checker): void {
  const spec = object.at("spec");
  if (spec.require("attacher")) {
    const name = spec.text("attacher");
    if (name.length > 63) spec.add(tooLong(spec.field("attacher"), 63));
    for (const problem of subdomainProblems(name.toLowerCase()))
      spec.invalid("attacher", name, problem);
  }
  const source = spec.at("source");
  const [inline, volume] = [source.has("inlineVolumeSpec"), source.has("persistentVolumeName")];
  const detail = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
  if (inline && volume) source.add(forbidden(source.path, detail));
  else if (!inline && !volume) source.add(requiredField(source.path, detail));
  if (volume) {
    const name = source.text("persistentVolumeName");
    if (!inline && name === "")
      source.require("persistentVolumeName", "must specify non empty persistentVolumeName");
    for (const problem of subdomainProblems(name))
      source.invalid("persistentVolumeName", name, problem);
  }
  const node = spec.text("nodeName");
  for (const problem of subdomainProblems(node)) spec.invalid("nodeName", node, problem);
}
