import type { NamedObject, Diagnostic } from "../../diagnostics/index.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/index.ts";
import { groupOf } from "../api-version.ts";
import type { KubernetesObject } from "../kubernetes-object.ts";
import type { FieldPath } from "../yaml/locate-path.ts";

/** What is wrong with a field, before it is known where the field is written. */
export interface FieldProblem {
  readonly code: Diagnostic["code"];
  readonly path: FieldPath;
  readonly summary: string;
  readonly hint?: string;
}

/** Tells whether a value has what every object must have; all that it lacks is reported. */
export function checkObject(value: JsonObject): readonly FieldProblem[] {
  const problems: FieldProblem[] = [];
  const subject = describe(value);
  for (const field of ["apiVersion", "kind"] as const) {
    problems.push(...checkText(value[field], [field], field, subject));
  }
  const metadata = value["metadata"];
  if (metadata === undefined || metadata === null) {
    problems.push(missing([], "metadata.name", subject));
  } else if (isJsonObject(metadata)) {
    problems.push(...checkMetadata(metadata, subject));
  } else {
    problems.push(wrongType(["metadata"], "metadata", "a mapping", metadata, subject));
  }
  return problems;
}

/** What of the identity of a value can be read, whatever else is wrong with it. */
export function identityOfValue(value: JsonObject): NamedObject {
  const metadata = isJsonObject(value["metadata"]) ? value["metadata"] : {};
  return {
    group: groupOf(textOf(value["apiVersion"])),
    kind: textOf(value["kind"]),
    namespace: textOf(metadata["namespace"]),
    name: textOf(metadata["name"]),
  };
}

/** The object without what is wrong in its metadata; undefined when it does not even say its kind. */
export function readablePart(value: JsonObject): KubernetesObject | undefined {
  const { kind, namespace, name } = identityOfValue(value);
  if (kind === "" || textOf(value["apiVersion"]) === "") return undefined;
  const metadata = { name, ...(namespace === "" ? {} : { namespace }) };
  return asKubernetesObject({ ...value, metadata });
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** A value that passed {@link checkObject}. */
export function asKubernetesObject(value: JsonObject): KubernetesObject {
  return value as unknown as KubernetesObject;
}

function checkMetadata(metadata: JsonObject, subject: string): readonly FieldProblem[] {
  const problems: FieldProblem[] = [];
  const generated = metadata["generateName"];
  if (isAbsent(metadata["name"]) && !isAbsent(generated)) {
    problems.push(
      ...checkText(generated, ["metadata", "generateName"], "metadata.generateName", subject),
    );
  } else {
    problems.push(...checkText(metadata["name"], ["metadata", "name"], "metadata.name", subject));
  }
  const { namespace } = metadata;
  if (!isAbsent(namespace) && typeof namespace !== "string") {
    const path = ["metadata", "namespace"];
    problems.push(wrongType(path, "metadata.namespace", "a string", namespace, subject));
  }
  for (const field of ["labels", "annotations"] as const) {
    problems.push(...checkTextMap(metadata[field], field, subject));
  }
  return problems;
}

function checkTextMap(
  value: JsonValue | undefined,
  field: "labels" | "annotations",
  subject: string,
): readonly FieldProblem[] {
  if (isAbsent(value)) return [];
  const path = ["metadata", field];
  const name = `metadata.${field}`;
  if (!isJsonObject(value)) return [wrongType(path, name, "a mapping", value, subject)];
  return Object.entries(value).flatMap(([key, text]) =>
    typeof text === "string" || text === null
      ? []
      : [wrongType([...path, key], `${name}["${key}"]`, "a string", text, subject)],
  );
}

function checkText(
  value: JsonValue | undefined,
  path: FieldPath,
  name: string,
  subject: string,
): readonly FieldProblem[] {
  if (isAbsent(value)) return [missing(value === null ? path : path.slice(0, -1), name, subject)];
  if (typeof value !== "string") return [wrongType(path, name, "a string", value, subject)];
  if (value !== "") return [];
  return [{ code: "objects.field-type", path, summary: `${subject}: ${name} is empty` }];
}

function missing(path: FieldPath, name: string, subject: string): FieldProblem {
  return { code: "objects.field-missing", path, summary: `${subject} has no ${name}` };
}

function wrongType(
  path: FieldPath,
  name: string,
  wanted: string,
  value: JsonValue,
  subject: string,
): FieldProblem {
  const hint =
    wanted === "a string" && typeof value !== "object" ? { hint: "Put the value in quotes." } : {};
  const summary = `${subject}: ${name} must be ${wanted}, not ${jsonTypeName(value)}`;
  return { code: "objects.field-type", path, summary, ...hint };
}

function isAbsent(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null;
}

function describe(value: JsonObject): string {
  const { kind, metadata } = value;
  const name = isJsonObject(metadata) ? metadata["name"] : undefined;
  const type = typeof kind === "string" && kind !== "" ? kind : "the object";
  return typeof name === "string" && name !== "" ? `${type} ${name}` : type;
}

/** The type of a value in the words of a message. */
export function jsonTypeName(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return "a string";
  if (typeof value === "boolean") return "a boolean";
  return typeof value === "object" ? "a mapping" : "a number";
}
