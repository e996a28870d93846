import type { KubernetesObject } from "../../objects/index.ts";
import { badRequest } from "./status.ts";

interface FieldRequirement {
  readonly field: string;
  readonly path: readonly string[];
  readonly negated: boolean;
  readonly value: string;
}

export type FieldSelector = readonly FieldRequirement[];

const always = ["metadata.name", "metadata.namespace"];

/** Fields besides name and namespace that a built-in resource can be selected by. */
const selectableFields: Readonly<Record<string, readonly string[]>> = {
  "/pods": [
    "spec.nodeName",
    "spec.restartPolicy",
    "spec.schedulerName",
    "spec.serviceAccountName",
    "spec.hostNetwork",
    "status.phase",
    "status.podIP",
    "status.podIPs",
    "status.nominatedNodeName",
  ],
  "/events": [
    "involvedObject.kind",
    "involvedObject.namespace",
    "involvedObject.name",
    "involvedObject.uid",
    "involvedObject.apiVersion",
    "involvedObject.resourceVersion",
    "involvedObject.fieldPath",
    "reason",
    "reportingComponent",
    "source",
    "type",
  ],
  "/secrets": ["type"],
  "/services": ["spec.clusterIP", "spec.type"],
  "/nodes": ["spec.unschedulable"],
  "/namespaces": ["status.phase", "name"],
  "/replicationcontrollers": ["status.replicas"],
  "batch/jobs": ["status.successful"],
  "certificates.k8s.io/certificatesigningrequests": ["spec.signerName"],
};

/** Parses `a=b,c!=d`, refusing fields that this resource cannot be selected by. */
export function parseFieldSelector(
  text: string,
  storageKey: string,
  customFields: readonly string[] = [],
): FieldSelector {
  if (text === "") return [];
  const allowed = new Set([...always, ...(selectableFields[storageKey] ?? []), ...customFields]);
  return splitUnescaped(text, ",")
    .filter((term) => term !== "")
    .map((term) => {
      const match = /^((?:[^=!\\]|\\.)*?)(!=|==|=)(.*)$/s.exec(term);
      if (match === null)
        throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
      const [, field = "", operator, value = ""] = match;
      if (!allowed.has(field)) throw badRequest(unknownField(field, storageKey, allowed));
      return { field, path: field.split("."), negated: operator === "!=", value: unescape(value) };
    });
}

function unknownField(field: string, storageKey: string, allowed: ReadonlySet<string>): string {
  if (selectableFields[storageKey] !== undefined) return `field label not supported: ${field}`;
  const known = [...allowed].map((each) => JSON.stringify(each)).join(", ");
  return `${JSON.stringify(field)} is not a known field selector: only ${known}`;
}

export function matchesFields(selector: FieldSelector, object: KubernetesObject): boolean {
  return selector.every(
    ({ path, negated, value }) => (fieldText(object, path) === value) !== negated,
  );
}

function fieldText(object: KubernetesObject, path: readonly string[]): string {
  let value: unknown = object;
  for (const word of path) {
    if (typeof value !== "object" || value === null) return "";
    value = (value as Readonly<Record<string, unknown>>)[word];
  }
  if (path.length === 1 && path[0] === "name") return object.metadata.name ?? "";
  if (path.length === 1 && path[0] === "source") return sourceOf(object);
  // Flags that are false are not written down, but can be asked for.
  if (value === undefined && flags.includes(path.at(-1) ?? "")) return "false";
  const isScalar =
    typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return isScalar ? String(value) : "";
}

/** Who reported an event, in the old field or in the new one. */
function sourceOf(event: KubernetesObject): string {
  const source = fieldText(event, ["source", "component"]);
  return source === "" ? fieldText(event, ["reportingComponent"]) : source;
}

const flags = ["hostNetwork", "unschedulable"];

function splitUnescaped(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let current = "";
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? "";
    if (character === "\\") current += character + (text[++index] ?? "");
    else if (character === separator) {
      parts.push(current);
      current = "";
    } else current += character;
  }
  return [...parts, current];
}

function unescape(value: string): string {
  return value.replaceAll(/\\(.)/g, "$1");
}
