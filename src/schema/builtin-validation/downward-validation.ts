import { compareQuantities } from "../quantity.ts";
import { invalid, notSupported, requiredField } from "../field-error.ts";
import type { Checker } from "./checker.ts";
import { qualifiedNameProblems } from "./names.ts";

/** Where fields of a pod are told: in a variable, or in a file of a volume. */
type Use = "variable" | "volume";

const metadataFields = ["metadata.name", "metadata.namespace", "metadata.uid"];
const variableFields = [
  ...metadataFields,
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];
const fields: Readonly<Record<Use, readonly string[]>> = {
  variable: variableFields,
  volume: ["metadata.annotations", "metadata.labels", ...metadataFields],
};
const known = new Set([...variableFields, ...fields.volume, "spec.restartPolicy", "status.phase"]);

/** A field of a pod that its containers can be told. */
export function validateFieldReference(field: Checker, use: Use): void {
  if (!field.require("apiVersion") || !field.require("fieldPath")) return;
  const path = field.text("fieldPath");
  const version = field.text("apiVersion");
  const [, map, key] = /^(.+)\['(.*)'\]$/.exec(path) ?? [];
  if (version !== "v1") {
    const detail = `error converting fieldPath: unsupported pod version: ${version}`;
    field.invalid("fieldPath", path, detail);
  } else if (key !== undefined && (map === "metadata.labels" || map === "metadata.annotations")) {
    const shown = map === "metadata.annotations" ? key.toLowerCase() : key;
    for (const problem of qualifiedNameProblems(shown))
      field.add(invalid(field.path, shown, problem));
  } else if (!known.has(path)) {
    const detail = `error converting fieldPath: field label not supported: ${path}`;
    field.invalid("fieldPath", path, detail);
  } else if (!fields[use].includes(path)) {
    field.add(notSupported(field.field("fieldPath"), path, fields[use]));
  }
}

const resources = [
  "limits.cpu",
  "limits.ephemeral-storage",
  "limits.memory",
  "requests.cpu",
  "requests.ephemeral-storage",
  "requests.memory",
];

const divisors: readonly (readonly [resource: string, allowed: readonly string[]])[] = [
  ["cpu", ["1m", "1"]],
  ["memory", byteDivisors()],
  ["ephemeral-storage", byteDivisors()],
];

function byteDivisors(): readonly string[] {
  return ["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"];
}

/** An amount that a container is given, as its containers can be told. */
export function validateResourceReference(reference: Checker, use: Use): void {
  const resource = reference.text("resource");
  if (use === "volume" && reference.text("containerName") === "") {
    reference.add(requiredField(reference.field("containerName")));
  } else if (
    reference.require("resource") &&
    !resources.includes(resource) &&
    !/^(?:limits|requests)\.hugepages-/.test(resource)
  ) {
    reference.add(notSupported(reference.field("resource"), resource, resources));
  }
  const divisor = reference.text("divisor");
  const [, allowed] = divisors.find(([name]) => resource.endsWith(`.${name}`)) ?? [];
  if (divisor === "" || divisor === "0" || allowed === undefined) return;
  if (allowed.some((each) => compareQuantities(each, divisor) === 0)) return;
  reference.invalid(
    "divisor",
    divisor,
    "only divisor's values 1m and 1 are supported with the cpu resource",
  );
}
