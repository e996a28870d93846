import { asObject, type JsonObject } from "../../json/index.ts";
import { convertSchema } from "../crd-schema.ts";
import { invalid, notSupported, requiredField } from "../field-error.ts";
import { checkStructural } from "../structural-schema.ts";
import { validate } from "../validate.ts";
import { Checker } from "./checker.ts";
import { dns1035Problems, subdomainProblems } from "./names.ts";

const columnTypes = ["boolean", "date", "integer", "number", "string"];
const schemaTypes = ["array", "boolean", "integer", "number", "object", "string"];

export function validateCustomResourceDefinition(object: Checker): void {
  const spec = object.at("spec");
  const names = spec.at("names");
  const group = spec.text("group");
  if (object.at("metadata").text("name") !== `${names.text("plural")}.${group}`) {
    const name = object.at("metadata").text("name");
    object.invalid("metadata.name", name, 'must be spec.names.plural+"."+spec.group');
  }
  validateApproval(object, group);
  if (spec.require("group")) {
    spec.named("group", subdomainProblems);
    if (!group.includes(".")) {
      spec.invalid("group", group, "should be a domain with at least one dot");
    }
  }
  if (spec.require("scope")) spec.oneOf("scope", ["Cluster", "Namespaced"]);
  validateNames(names);
  validateVersions(object, spec);
  if (spec.get("preserveUnknownFields") === true) {
    const detail =
      "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
    spec.invalid("preserveUnknownFields", true, detail);
  }
  validateConversion(spec.at("conversion"));
}

function validateApproval(object: Checker, group: string): void {
  const annotation = "api-approved.kubernetes.io";
  const isProtected = /(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group);
  const annotations = asObject(object.at("metadata").get("annotations")) ?? {};
  if (!isProtected || Object.hasOwn(annotations, annotation)) return;
  const detail = `protected groups must have approval annotation "${annotation}", see https://github.com/kubernetes/enhancements/pull/1111`;
  object.add(requiredField(`metadata.annotations[${annotation}]`, detail));
}

function validateNames(names: Checker): void {
  for (const key of ["plural", "singular"]) {
    if (names.require(key)) names.named(key, dns1035Problems);
  }
  for (const key of ["kind", "listKind"]) {
    if (names.require(key)) {
      names.named(key, (name) => dns1035Problems(name.toLowerCase()));
    }
  }
}

function validateVersions(object: Checker, spec: Checker): void {
  const versions = spec.items("versions");
  const seen = new Set<string>();
  let isUnique = true;
  // With one version, the server speaks of the fields that older definitions had at the top.
  const isSingle = versions.length === 1;
  for (const version of versions) {
    const name = version.text("name");
    if (seen.has(name)) isUnique = false;
    seen.add(name);
    version.named("name", dns1035Problems);
    if (isSingle) for (const each of dns1035Problems(name)) spec.invalid("version", name, each);
    const at = isSingle ? spec.path : version.path;
    validateVersion(new Checker(version.object, at, spec.errors), isSingle);
  }
  const stored = versions.filter((version) => version.get("storage") === true);
  const list = spec.get("versions") ?? null;
  if (!isUnique) spec.invalid("versions", list, "must contain unique version names");
  if (stored.length !== 1) {
    spec.invalid("versions", list, "must have exactly one version marked as storage version");
  }
  if (stored.length === 0) {
    object.invalid("status.storedVersions", null, "must have at least one stored version");
  }
}

function validateVersion(version: Checker, isSingle: boolean): void {
  const schema = asObject(version.at("schema").get("openAPIV3Schema"));
  const path = isSingle ? "spec.validation" : version.field("schema");
  if (schema === undefined) {
    const at = isSingle ? "spec.versions[0].schema" : version.field("schema");
    version.add(requiredField(`${at}.openAPIV3Schema`));
  } else {
    const before = version.errors.length;
    validateSchemaNode(schema, `${path}.openAPIV3Schema`, version);
    if (version.errors.length === before) {
      for (const error of checkStructural(schema, `${path}.openAPIV3Schema`)) version.add(error);
    }
  }
  const scale = version.at("subresources").maybe("scale");
  for (const key of ["specReplicasPath", "statusReplicasPath"]) scale?.require(key);
  for (const column of version.items("additionalPrinterColumns")) {
    column.require("name");
    if (column.require("type") && !columnTypes.includes(column.text("type"))) {
      column.invalid("type", column.text("type"), `must be one of ${columnTypes.join(",")}`);
    }
    const jsonPath = column.text("jsonPath");
    if (jsonPath === "") column.add(requiredField(column.field("JSONPath")));
    else if (!jsonPath.startsWith(".")) {
      column.invalid("JSONPath", jsonPath, "must be a simple json path starting with .");
    }
  }
}

/** What the server checks of each node besides its being structural. */
function validateSchemaNode(node: JsonObject, path: string, checker: Checker): void {
  const { type } = node;
  if (typeof type === "string" && type !== "" && !schemaTypes.includes(type)) {
    checker.add(notSupported(`${path}.type`, type, schemaTypes));
  }
  validateListType(node, path, checker);
  if (node["default"] !== undefined) {
    for (const error of validate(convertSchema(node), node["default"])) {
      checker.add({ ...error, field: joinPath(`${path}.default`, error.field) });
    }
  }
  for (const [key, child] of Object.entries(asObject(node["properties"]) ?? {})) {
    const below = asObject(child);
    if (below !== undefined) validateSchemaNode(below, `${path}.properties[${key}]`, checker);
  }
  const items = asObject(node["items"]);
  if (items !== undefined) validateSchemaNode(items, `${path}.items`, checker);
  const additional = asObject(node["additionalProperties"]);
  if (additional !== undefined) {
    validateSchemaNode(additional, `${path}.additionalProperties`, checker);
  }
}

function joinPath(base: string, field: string): string {
  return field === "" || field === "<nil>" ? base : `${base}.${field}`;
}

function validateListType(node: JsonObject, path: string, checker: Checker): void {
  const listType = node["x-kubernetes-list-type"];
  if (listType === undefined) return;
  if (node["type"] !== "array") {
    const detail = "must be array if x-kubernetes-list-type is specified";
    checker.add(invalid(`${path}.type`, node["type"] ?? "", detail));
  }
  if (listType !== "map") return;
  const keys = node["x-kubernetes-list-map-keys"];
  if (!Array.isArray(keys) || keys.length === 0) {
    const detail = "must not be empty if x-kubernetes-list-type is map";
    checker.add(requiredField(`${path}.x-kubernetes-list-map-keys`, detail));
    return;
  }
  const items = asObject(node["items"]) ?? {};
  const properties = asObject(items["properties"]) ?? {};
  const requiredKeys = Array.isArray(items["required"]) ? items["required"] : [];
  for (const key of keys) {
    if (typeof key !== "string") continue;
    const property = asObject(properties[key]);
    if (property === undefined) {
      const detail = "entries must all be names of item properties";
      checker.add(invalid(`${path}.x-kubernetes-list-map-keys`, keys, detail));
    } else if (property["default"] === undefined && !requiredKeys.includes(key)) {
      const detail =
        "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property";
      checker.add(requiredField(`${path}.items.properties[${key}].default`, detail));
    }
  }
}

function validateConversion(conversion: Checker): void {
  conversion.oneOf("strategy", ["None", "Webhook"]);
  if (conversion.text("strategy") !== "Webhook") return;
  const webhook = conversion.maybe("webhook");
  if (webhook?.has("clientConfig") !== true) {
    const detail = "required when strategy is set to Webhook";
    conversion.add(requiredField(conversion.field("webhookClientConfig"), detail));
  }
  const versions = webhook?.get("conversionReviewVersions");
  if (!Array.isArray(versions) || versions.length === 0) {
    conversion.add(requiredField(conversion.field("conversionReviewVersions")));
  }
}
