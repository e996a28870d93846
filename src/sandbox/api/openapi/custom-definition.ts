import type { JsonObject, JsonValue } from "../../../json/index.ts";
import type { ServedResource } from "../served-resource.ts";

const metaPackage = "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.";
const conventions =
  "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md";

export const apiVersionProperty = {
  description: `APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: ${conventions}#resources`,
  type: "string",
};
export const kindProperty = {
  description: `Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: ${conventions}#types-kinds`,
  type: "string",
};
const metadataProperty = {
  description: `Standard object's metadata. More info: ${conventions}#metadata`,
  allOf: [{ $ref: `${metaPackage}ObjectMeta` }],
};
export const listMetadataProperty = {
  description: `Standard list metadata. More info: ${conventions}#types-kinds`,
  allOf: [{ $ref: `${metaPackage}ListMeta` }],
};

/** The name of a custom kind among definitions: `com.example.stable.v1.Widget`. */
export function customDefinitionName({ group, version, kind }: ServedResource): string {
  return `${group.split(".").reverse().join(".")}.${version}.${kind}`;
}

/** The schema of a custom resource as its author wrote it, with what every object has. */
export function customDefinition(resource: ServedResource): JsonObject {
  const schema = writtenSchema(resource);
  const { properties, ...rest } = schema;
  const written = typeof properties === "object" ? (properties as JsonObject) : {};
  return {
    ...rest,
    type: "object",
    properties: {
      ...(withAlternatives(written) as JsonObject),
      apiVersion: apiVersionProperty,
      kind: kindProperty,
      metadata: metadataProperty,
    },
  };
}

/** The list of a kind. */
export function listDefinition(
  { kind, resource, custom }: ServedResource,
  reference: string,
): JsonObject {
  const item = custom === undefined ? { default: {}, allOf: [{ $ref: reference }] } : undefined;
  return {
    description: `${kind}List is a list of ${kind}`,
    type: "object",
    required: ["items"],
    properties: {
      apiVersion: apiVersionProperty,
      items: {
        description: `List of ${resource}. More info: ${conventions}`,
        type: "array",
        items: item ?? { $ref: reference },
      },
      kind: kindProperty,
      metadata: listMetadataProperty,
    },
  };
}

function writtenSchema({ custom, version }: ServedResource): JsonObject {
  const spec = custom?.definition["spec"] as
    | {
        versions?: readonly { name: string; schema?: { openAPIV3Schema?: JsonObject } }[];
      }
    | undefined;
  const found = spec?.versions?.find(({ name }) => name === version);
  return found?.schema?.openAPIV3Schema ?? {};
}

/** A number or a string is written out as the two things that it may be. */
function withAlternatives(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withAlternatives);
  if (typeof value !== "object" || value === null) return value;
  const mapped = Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, withAlternatives(each)]),
  );
  const isOpen = value["x-kubernetes-int-or-string"] === true && value["anyOf"] === undefined;
  return isOpen ? { anyOf: [{ type: "integer" }, { type: "string" }], ...mapped } : mapped;
}
