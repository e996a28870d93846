import type { ServedResource } from "../served-resource.ts";
import { schemaDefinitions } from "./document-v3.ts";
import type { Descriptions } from "./definitions.ts";
import { pathsOf } from "./paths.ts";

type Node = Record<string, unknown>;

const componentPrefix = "#/components/schemas/";
const definitionPrefix = "#/definitions/";

/** Everything that is served in one document of the older form. */
export function documentV2(
  resources: readonly ServedResource[],
  descriptions: Descriptions,
): unknown {
  const { definitions, references } = schemaDefinitions(resources, descriptions);
  const paths = pathsOf(resources, references) as Record<string, Node>;
  return {
    swagger: "2.0",
    info: { title: "Kubernetes", version: "v1.36.3" },
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, node]) => [
        path,
        Object.fromEntries(Object.entries(node).map(([key, each]) => [key, olderItem(each)])),
      ]),
    ),
    definitions: olderSchemas(definitions.all()),
    securityDefinitions: {
      BearerToken: {
        type: "apiKey",
        description: "Bearer Token authentication",
        name: "authorization",
        in: "header",
      },
    },
    security: [{ BearerToken: [] }],
  };
}

/** An operation, or the parameters that all operations of a path share. */
function olderItem(item: unknown): unknown {
  if (Array.isArray(item)) return item.map(olderParameter);
  const {
    parameters = [],
    requestBody,
    responses,
    ...rest
  } = item as {
    readonly parameters?: readonly unknown[];
    readonly requestBody?: {
      readonly content: Readonly<Record<string, Node>>;
      readonly required?: boolean;
    };
    readonly responses: Readonly<Record<string, Node>>;
  };
  const [content] = Object.values(requestBody?.content ?? {});
  const body =
    content === undefined
      ? []
      : [
          {
            name: "body",
            in: "body",
            ...(requestBody?.required === true ? { required: true } : {}),
            schema: olderSchema(content["schema"]),
          },
        ];
  return {
    ...rest,
    ...(requestBody === undefined ? {} : { consumes: Object.keys(requestBody.content) }),
    produces: ["application/json", "application/yaml"],
    schemes: ["https"],
    parameters: [...body, ...parameters.map(olderParameter)],
    responses: Object.fromEntries(
      Object.entries(responses).map(([code, response]) => [code, olderResponse(response)]),
    ),
  };
}

function olderParameter(parameter: unknown): unknown {
  const { schema, ...rest } = parameter as { readonly schema: Node };
  return { ...rest, ...schema };
}

function olderResponse({ description, content }: Node): Node {
  const [first] = Object.values((content ?? {}) as Readonly<Record<string, Node>>);
  return first === undefined
    ? { description }
    : { description, schema: olderSchema(first["schema"]) };
}

/** References point elsewhere and stand alone; what may be one of several things is a string. */
function olderSchema(schema: unknown): Node {
  const { allOf, oneOf, anyOf, $ref, default: _default, ...rest } = schema as Node;
  const { properties, items, additionalProperties } = rest;
  const node: Node = { ...rest };
  if (typeof $ref === "string") node["$ref"] = $ref.replace(componentPrefix, definitionPrefix);
  if (isNode(properties)) node["properties"] = olderSchemas(properties);
  if (isNode(items)) node["items"] = olderSchema(items);
  if (isNode(additionalProperties))
    node["additionalProperties"] = olderSchema(additionalProperties);
  if (Array.isArray(allOf) && allOf.length === 1) Object.assign(node, olderSchema(allOf[0]));
  const isOneOfSeveral = oneOf !== undefined || anyOf !== undefined;
  if (isOneOfSeveral && node["type"] === undefined) node["type"] = "string";
  return withoutOpenParts(node);
}

/** kubectl does not read types of which only a part is known, or which may be null: they are open. */
function withoutOpenParts(schema: Node): Node {
  const { nullable, not: _not, ...node } = schema;
  const isOpen = node["x-kubernetes-preserve-unknown-fields"] === true;
  if (nullable === true) delete node["type"];
  if (nullable === true || isOpen) {
    delete node["items"];
    delete node["properties"];
    if (node["type"] === "object") delete node["type"];
  }
  if (node["type"] === "array" && node["items"] === undefined) delete node["type"];
  return node;
}

function olderSchemas(schemas: Readonly<Record<string, unknown>>): Node {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, olderSchema(schema)]),
  );
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
