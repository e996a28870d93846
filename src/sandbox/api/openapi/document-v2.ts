import type { ServedResource } from "../served-resource.ts";
import { definitionsOf } from "./document-v3.ts";
import type { Descriptions } from "./definitions.ts";
import { pathsOf } from "./paths.ts";

type Node = Record<string, unknown>;

/** Everything that is served in one document of the older form. */
export function documentV2(
  resources: readonly ServedResource[],
  descriptions: Descriptions,
): unknown {
  const { definitions, references } = definitionsOf(resources, descriptions);
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
    definitions: olderSchema(definitions.all()),
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
function olderSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(olderSchema);
  if (typeof value !== "object" || value === null) return value;
  const { allOf, oneOf, anyOf, default: _default, ...rest } = value as Node;
  const node: Node = {};
  for (const [key, each] of Object.entries(rest)) {
    node[key] =
      key === "$ref" && typeof each === "string"
        ? each.replace("#/components/schemas/", "#/definitions/")
        : key === "enum"
          ? each
          : olderSchema(each);
  }
  if (Array.isArray(allOf) && allOf.length === 1) Object.assign(node, olderSchema(allOf[0]));
  if ((oneOf !== undefined || anyOf !== undefined) && node["type"] === undefined) {
    node["type"] = "string";
  }
  return node;
}
