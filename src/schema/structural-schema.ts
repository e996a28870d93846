import { isJsonObject, type JsonObject, type JsonValue } from "../json/index.ts";
import { forbidden, formatFieldError, invalid, requiredField } from "./field-error.ts";
import type { FieldError } from "./field-error.ts";
import { compileRegularExpression } from "./regular-expression.ts";

/**
 * What keeps a schema of a custom resource definition from being structural: every field must have
 * a type outside of allOf, anyOf, oneOf and not, and those may only restrict values. `path` is where
 * the schema stands, such as `spec.versions[0].schema.openAPIV3Schema`.
 */
export function checkStructural(schema: JsonObject, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  checkNode(schema, "root", path, errors);
  checkCompleteness(schema, schema, path, path, errors);
  return errors.sort((left, right) => (formatFieldError(left) < formatFieldError(right) ? -1 : 1));
}

type Level = "root" | "item" | "field";

const missingType: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

function checkNode(node: JsonObject, level: Level, path: string, errors: FieldError[]): void {
  const properties = objectAt(node, "properties");
  const items = objectAt(node, "items");
  if (node["type"] === "array" && items === undefined) {
    errors.push(requiredField(`${path}.items`, "must be specified"));
  }
  if (items !== undefined) checkNode(items, "item", `${path}.items`, errors);
  for (const [key, child] of objectEntries(properties)) {
    checkNode(child, "field", `${path}.properties[${key}]`, errors);
  }
  checkAdditionalProperties(node, level, path, errors);
  checkExtensions(node, path, errors);
  checkJunctors(node, level, path, errors, isIntOrStringAnyOf(node));
  checkType(node, level, path, errors);
  if (level === "root" || node["x-kubernetes-embedded-resource"] === true) {
    checkTypeMeta(properties, path, errors);
  }
  if (level === "root") checkRootMetadata(properties, path, errors);
}

function checkAdditionalProperties(
  node: JsonObject,
  level: Level,
  path: string,
  errors: FieldError[],
): void {
  const additional = node["additionalProperties"];
  if (additional === undefined) return;
  const at = `${path}.additionalProperties`;
  if (level === "root") errors.push(forbidden(at, "must not be used at the root"));
  if (node["x-kubernetes-embedded-resource"] === true) {
    errors.push(forbidden(at, "must not be used if x-kubernetes-embedded-resource is set"));
  }
  if (isJsonObject(additional)) checkNode(additional, "field", at, errors);
}

function checkExtensions(node: JsonObject, path: string, errors: FieldError[]): void {
  if (node["x-kubernetes-int-or-string"] !== true) return;
  for (const extension of [
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-embedded-resource",
  ]) {
    if (node[extension] === true) {
      const detail = "must be false if x-kubernetes-int-or-string is true";
      errors.push(invalid(`${path}.${extension}`, true, detail));
    }
  }
}

function checkType(node: JsonObject, level: Level, path: string, errors: FieldError[]): void {
  const type = typeof node["type"] === "string" ? node["type"] : "";
  const at = `${path}.type`;
  const isEmbedded = node["x-kubernetes-embedded-resource"] === true;
  const preservesUnknown = node["x-kubernetes-preserve-unknown-fields"] === true;
  if (isEmbedded && type !== "object") {
    const detail = "must be object if x-kubernetes-embedded-resource is true";
    errors.push(type === "" ? requiredField(at, detail) : invalid(at, type, detail));
  } else if (type === "" && node["x-kubernetes-int-or-string"] !== true && !preservesUnknown) {
    errors.push(requiredField(at, missingType[level]));
  }
  if (level === "root" && type !== "" && type !== "object") {
    errors.push(invalid(at, type, "must be object at the root"));
  }
  if (isEmbedded && !preservesUnknown && objectEntries(objectAt(node, "properties")).length === 0) {
    const detail =
      "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
    errors.push(requiredField(`${path}.properties`, detail));
  }
}

function checkTypeMeta(
  properties: JsonObject | undefined,
  path: string,
  errors: FieldError[],
): void {
  const expected = [
    ["kind", "string"],
    ["apiVersion", "string"],
    ["metadata", "object"],
  ] as const;
  for (const [key, type] of expected) {
    const property = properties === undefined ? undefined : objectAt(properties, key);
    if (property !== undefined && property["type"] !== type) {
      const at = `${path}.properties[${key}].type`;
      errors.push(invalid(at, property["type"] ?? "", `must be ${type}`));
    }
  }
}

function checkRootMetadata(
  properties: JsonObject | undefined,
  path: string,
  errors: FieldError[],
): void {
  const metadata = properties === undefined ? undefined : objectAt(properties, "metadata");
  if (metadata === undefined) return;
  const inner = Object.keys(objectAt(metadata, "properties") ?? {});
  const others = Object.keys(metadata).filter(
    (key) => !["type", "properties", "default"].includes(key),
  );
  if (others.length === 0 && inner.every((key) => key === "name" || key === "generateName")) return;
  const detail =
    "must not specify anything other than name and generateName, but metadata is implicitly specified";
  errors.push(forbidden(`${path}.properties[metadata]`, detail));
}

function checkJunctors(
  node: JsonObject,
  level: Level,
  path: string,
  errors: FieldError[],
  skipAnyOf: boolean,
): void {
  for (const junctor of ["anyOf", "allOf", "oneOf"] as const) {
    if (junctor === "anyOf" && skipAnyOf) continue;
    for (const [index, nested] of objectItems(node[junctor]).entries()) {
      const skipNested = junctor === "allOf" && index === 0 && isIntOrStringAnyOf(nested);
      checkNested(nested, level, `${path}.${junctor}[${index}]`, errors, skipNested);
    }
  }
  const not = objectAt(node, "not");
  if (not !== undefined) checkNested(not, level, `${path}.not`, errors, false);
  const pattern = node["pattern"];
  if (typeof pattern !== "string") return;
  const compiled = compileRegularExpression(pattern);
  if (typeof compiled === "string") {
    const detail = `must be a valid regular expression, but isn't: ${compiled}`;
    errors.push(invalid(`${path}.pattern`, pattern, detail));
  }
}

const nestedMustBeAbsent: readonly (readonly [string, string])[] = [
  ["type", "must be empty to be structural"],
  ["additionalProperties", "must be undefined to be structural"],
  ["default", "must be undefined to be structural"],
  ["title", "must be empty to be structural"],
  ["description", "must be empty to be structural"],
  ["nullable", "must be false to be structural"],
  ["x-kubernetes-preserve-unknown-fields", "must be false to be structural"],
  ["x-kubernetes-embedded-resource", "must be false to be structural"],
  ["x-kubernetes-int-or-string", "must be false to be structural"],
  ["x-kubernetes-list-map-keys", "must be empty to be structural"],
  ["x-kubernetes-list-type", "must be undefined to be structural"],
  ["x-kubernetes-map-type", "must be undefined to be structural"],
  ["x-kubernetes-validations", "must be empty to be structural"],
];

function checkNested(
  node: JsonObject,
  level: Level,
  path: string,
  errors: FieldError[],
  skipAnyOf: boolean,
): void {
  checkJunctors(node, level, path, errors, skipAnyOf);
  const items = objectAt(node, "items");
  if (items !== undefined) checkNested(items, level, `${path}.items`, errors, false);
  const properties = objectAt(node, "properties");
  for (const [key, child] of objectEntries(properties)) {
    checkNested(child, "field", `${path}.properties[${key}]`, errors, false);
  }
  for (const [key, detail] of nestedMustBeAbsent) {
    if (!isEmpty(node[key])) errors.push(forbidden(`${path}.${key}`, detail));
  }
  if (properties?.["metadata"] !== undefined) {
    const detail = "must not be specified in a nested context";
    errors.push(forbidden(`${path}.properties[metadata]`, detail));
  }
}

/** Whatever a junctor restricts must be specified outside of it too. */
function checkCompleteness(
  nested: JsonObject,
  structural: JsonObject,
  structuralPath: string,
  nestedPath: string,
  errors: FieldError[],
): void {
  for (const junctor of ["allOf", "anyOf", "oneOf"] as const) {
    for (const [index, child] of objectItems(nested[junctor]).entries()) {
      const at = `${nestedPath}.${junctor}[${index}]`;
      checkCounterparts(child, structural, structuralPath, at, errors);
    }
  }
  const not = objectAt(nested, "not");
  if (not !== undefined) {
    checkCounterparts(not, structural, structuralPath, `${nestedPath}.not`, errors);
  }
}

function checkCounterparts(
  nested: JsonObject,
  structural: JsonObject,
  structuralPath: string,
  nestedPath: string,
  errors: FieldError[],
): void {
  checkCompleteness(nested, structural, structuralPath, nestedPath, errors);
  const children: [string, JsonObject, JsonObject | undefined][] = [];
  for (const [key, child] of objectEntries(objectAt(nested, "properties"))) {
    const counterpart = objectAt(objectAt(structural, "properties") ?? {}, key);
    children.push([`properties[${key}]`, child, counterpart]);
  }
  const items = objectAt(nested, "items");
  if (items !== undefined) children.push(["items", items, objectAt(structural, "items")]);
  for (const [step, child, counterpart] of children) {
    const at = `${nestedPath}.${step}`;
    const expectedAt = `${structuralPath}.${step}`;
    if (counterpart === undefined) {
      errors.push(requiredField(expectedAt, `because it is defined in ${at}`));
    } else checkCounterparts(child, counterpart, expectedAt, at, errors);
  }
}

function isIntOrStringAnyOf(node: JsonObject): boolean {
  return JSON.stringify(node["anyOf"]) === '[{"type":"integer"},{"type":"string"}]';
}

function isEmpty(value: JsonValue | undefined): boolean {
  return (
    value === undefined ||
    value === "" ||
    value === false ||
    value === null ||
    (Array.isArray(value) && value.length === 0)
  );
}

function objectAt(node: JsonObject, key: string): JsonObject | undefined {
  const value = node[key];
  return isJsonObject(value) ? value : undefined;
}

function objectEntries(node: JsonObject | undefined): readonly (readonly [string, JsonObject])[] {
  return Object.entries(node ?? {}).filter((entry): entry is [string, JsonObject] =>
    isJsonObject(entry[1]),
  );
}

function objectItems(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
