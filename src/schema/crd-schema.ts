import { isJsonObject, type JsonObject, type JsonValue } from "../json/index.ts";
import { builtinSchemas } from "./builtin-schemas.ts";
import type { Schema } from "./schema.ts";

/**
 * The schema of a custom resource from the `openAPIV3Schema` of one version of its definition. Every
 * custom resource has apiVersion, kind and metadata, whether or not its author wrote them down.
 */
export function crdSchema(openApiV3Schema: JsonObject | undefined): Schema {
  const schema = convertSchema(openApiV3Schema ?? { "x-kubernetes-preserve-unknown-fields": true });
  const properties = new Map(schema.properties);
  for (const [key, implicit] of implicitProperties()) {
    const written = properties.get(key);
    properties.set(
      key,
      key === "metadata" ? metadataWith(implicit, written) : (written ?? implicit),
    );
  }
  return { ...schema, type: schema.type ?? "object", properties, embeddedResource: true };
}

/** The schema that every kind shares for its metadata. */
export function objectMetaSchema(): Schema {
  return builtinSchemas().definition("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta") ?? {};
}

/** One node of a JSON schema as custom resource definitions write it. */
export function convertSchema(node: JsonObject): Schema {
  const schema: Record<string, unknown> = {};
  for (const [from, to, isFit] of attributes) {
    const value = node[from];
    // A definition that nobody has checked yet may say anything.
    if (value !== undefined && isFit(value)) schema[to] = value;
  }
  for (const key of junctorKeys) {
    if (Array.isArray(node[key])) schema[key] = node[key].filter(isJsonObject).map(convertSchema);
  }
  if (isJsonObject(node["not"])) schema["not"] = convertSchema(node["not"]);
  if (isJsonObject(node["properties"]))
    schema["properties"] = convertProperties(node["properties"]);
  if (isJsonObject(node["items"])) schema["items"] = convertSchema(node["items"]);
  const additional = node["additionalProperties"];
  if (isJsonObject(additional)) schema["additionalProperties"] = convertSchema(additional);
  else if (typeof additional === "boolean") schema["additionalProperties"] = additional;
  if (schema["embeddedResource"] === true) schema["properties"] = embeddedProperties(schema);
  return schema;
}

type Check = (value: JsonValue) => boolean;

const isText: Check = (value) => typeof value === "string";
const isNumber: Check = (value) => typeof value === "number";
const isFlag: Check = (value) => typeof value === "boolean";
const isList: Check = (value) => Array.isArray(value);
const isTextList: Check = (value) => Array.isArray(value) && value.every(isText);
const isObjectList: Check = (value) => Array.isArray(value) && value.every(isJsonObject);
const isAnything: Check = () => true;

/** The name in a definition, the name here, and what the value must be. */
const attributes: readonly (readonly [string, keyof Schema, Check])[] = [
  ["type", "type", isText],
  ["format", "format", isText],
  ["description", "description", isText],
  ["default", "default", isAnything],
  ["nullable", "nullable", isFlag],
  ["required", "required", isTextList],
  ["enum", "enum", isList],
  ["minimum", "minimum", isNumber],
  ["maximum", "maximum", isNumber],
  ["exclusiveMinimum", "exclusiveMinimum", isFlag],
  ["exclusiveMaximum", "exclusiveMaximum", isFlag],
  ["multipleOf", "multipleOf", isNumber],
  ["minLength", "minLength", isNumber],
  ["maxLength", "maxLength", isNumber],
  ["pattern", "pattern", isText],
  ["minItems", "minItems", isNumber],
  ["maxItems", "maxItems", isNumber],
  ["uniqueItems", "uniqueItems", isFlag],
  ["minProperties", "minProperties", isNumber],
  ["maxProperties", "maxProperties", isNumber],
  ["x-kubernetes-preserve-unknown-fields", "preserveUnknownFields", isFlag],
  ["x-kubernetes-embedded-resource", "embeddedResource", isFlag],
  ["x-kubernetes-int-or-string", "intOrString", isFlag],
  ["x-kubernetes-list-type", "listType", isText],
  ["x-kubernetes-list-map-keys", "listMapKeys", isTextList],
  ["x-kubernetes-map-type", "mapType", isText],
  ["x-kubernetes-validations", "validations", isObjectList],
];

const junctorKeys = ["allOf", "anyOf", "oneOf"] as const;

function convertProperties(properties: JsonObject): ReadonlyMap<string, Schema> {
  const converted = new Map<string, Schema>();
  for (const [key, value] of Object.entries(properties)) {
    if (isJsonObject(value)) converted.set(key, convertSchema(value));
  }
  return converted;
}

function embeddedProperties(schema: Record<string, unknown>): ReadonlyMap<string, Schema> {
  const written = schema["properties"] as ReadonlyMap<string, Schema> | undefined;
  return new Map([...implicitProperties(), ...(written ?? [])]);
}

function implicitProperties(): readonly (readonly [string, Schema])[] {
  return [
    ["apiVersion", { type: "string" }],
    ["kind", { type: "string" }],
    ["metadata", objectMetaSchema()],
  ];
}

/** An author may restrict the name; that restriction is kept beside the real metadata. */
function metadataWith(implicit: Schema, written: Schema | undefined): Schema {
  if (written?.properties === undefined) return implicit;
  const properties = new Map(implicit.properties);
  for (const [key, restriction] of written.properties) {
    const known = properties.get(key);
    if (known !== undefined) properties.set(key, { ...known, ...restriction });
  }
  return { ...implicit, properties };
}
