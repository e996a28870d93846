import { apiVersionOf } from "../../../objects/index.ts";
import type { SubresourceDescription } from "../../../schema/index.ts";
import { type ServedResource } from "../served-resource.ts";
import type { References, TypeReferences } from "./document-v3.ts";
import { parametersOf, pathParameter } from "./parameters.ts";

type Node = Record<string, unknown>;

interface Verb {
  readonly method: string;
  /** What clients read to learn what an operation does. */
  readonly action: string;
  /** The first word of the operation's name. */
  readonly operation: string;
  readonly text: string;
}

const verbs: Readonly<Record<string, Verb>> = {
  list: { method: "get", action: "list", operation: "list", text: "list or watch objects of kind" },
  create: { method: "post", action: "post", operation: "create", text: "create a" },
  deletecollection: {
    method: "delete",
    action: "deletecollection",
    operation: "deleteCollection",
    text: "delete collection of",
  },
  get: { method: "get", action: "get", operation: "read", text: "read the specified" },
  update: { method: "put", action: "put", operation: "replace", text: "replace the specified" },
  patch: {
    method: "patch",
    action: "patch",
    operation: "patch",
    text: "partially update the specified",
  },
  delete: { method: "delete", action: "delete", operation: "delete", text: "delete a" },
};

const collectionVerbs = ["list", "create", "deletecollection"];
const objectVerbs = ["get", "update", "patch", "delete"];
const patchTypes = [
  "application/apply-patch+yaml",
  "application/json-patch+json",
  "application/merge-patch+json",
];
const strategicPatch = "application/strategic-merge-patch+json";
const metaPackage = "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.";

/** The operations on resources, by path. */
export function pathsOf(resources: readonly ServedResource[], references: References): Node {
  const paths: Node = {};
  for (const resource of resources) addPaths(paths, resource, references);
  const [first] = resources;
  if (first !== undefined && first.custom === undefined)
    paths[`${baseOf(first)}/`] = discovery(first);
  return Object.fromEntries(
    Object.entries(paths).sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}

function addPaths(paths: Node, resource: ServedResource, references: References): void {
  const base = baseOf(resource);
  const scope = resource.namespaced ? "/namespaces/{namespace}" : "";
  const collection = `${base}${scope}/${resource.resource}`;
  const types = references(resource);
  const own = resource.verbs;
  const collectionNode = operations(resource, own, collectionVerbs, types);
  if (collectionNode !== undefined) paths[collection] = withScope(collectionNode, resource, false);
  if (resource.namespaced && own.includes("list")) {
    const all = operations(resource, own, ["list"], types, "ForAllNamespaces");
    if (all !== undefined) paths[`${base}/${resource.resource}`] = all;
  }
  const objectNode = operations(resource, own, objectVerbs, types);
  if (objectNode !== undefined)
    paths[`${collection}/{name}`] = withScope(objectNode, resource, true);
  for (const part of resource.subresources) {
    const node = partOperations(resource, part, references);
    if (node !== undefined)
      paths[`${collection}/{name}/${part.name}`] = withScope(node, resource, true);
  }
}

function partOperations(
  resource: ServedResource,
  part: SubresourceDescription,
  references: References,
): Node | undefined {
  const types = references(resource, part);
  const kind = {
    group: part.group ?? resource.group,
    version: part.version ?? resource.version,
    kind: part.kind,
  };
  const suffix = part.name.charAt(0).toUpperCase() + part.name.slice(1);
  return operations(resource, part.verbs, [...objectVerbs, "create"], types, suffix, kind);
}

function operations(
  resource: ServedResource,
  served: readonly string[],
  wanted: readonly string[],
  types: TypeReferences,
  suffix = "",
  gvk: object = { group: resource.group, version: resource.version, kind: resource.kind },
): Node | undefined {
  const node: Node = {};
  for (const name of wanted) {
    const verb = verbs[name];
    if (verb === undefined || !served.includes(name)) continue;
    node[verb.method] = operation(resource, name, verb, types, suffix, gvk);
  }
  return Object.keys(node).length === 0 ? undefined : node;
}

function operation(
  resource: ServedResource,
  name: string,
  verb: Verb,
  types: TypeReferences,
  suffix: string,
  gvk: object,
): Node {
  const { kind, namespaced } = resource;
  const scope = namespaced && suffix !== "ForAllNamespaces" ? "Namespaced" : "";
  const group = groupWord(resource);
  const tag = `${group.charAt(0).toLowerCase()}${group.slice(1)}_${resource.version}`;
  const version = resource.version.charAt(0).toUpperCase() + resource.version.slice(1);
  const body = bodyOf(name, types, resource.custom !== undefined);
  return {
    tags: [tag],
    description: `${verb.text} ${kind}`,
    operationId: `${verb.operation}${group}${version}${scope}${kind}${suffix}`,
    parameters: parametersOf(name),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: responsesOf(name, types),
    "x-kubernetes-action": verb.action,
    "x-kubernetes-group-version-kind": gvk,
  };
}

/** Custom resources know no strategic merge; kubectl reads here whether it may send one. */
function bodyOf(verb: string, types: TypeReferences, isCustom: boolean): unknown {
  if (verb === "patch") {
    const patch = { schema: { $ref: `${metaPackage}Patch` } };
    const allowed = isCustom ? patchTypes : [...patchTypes, strategicPatch];
    return { content: Object.fromEntries(allowed.map((type) => [type, patch])), required: true };
  }
  if (verb === "create" || verb === "update") {
    return { content: { "*/*": { schema: schemaOf(types.object) } }, required: true };
  }
  if (verb === "delete" || verb === "deletecollection") {
    return { content: { "*/*": { schema: { $ref: `${metaPackage}DeleteOptions` } } } };
  }
  return undefined;
}

function responsesOf(verb: string, types: TypeReferences): Node {
  const isDeletion = verb === "delete" || verb === "deletecollection";
  const type = verb === "list" ? types.list : isDeletion ? `${metaPackage}Status` : types.object;
  const content = Object.fromEntries(
    ["application/json", "application/yaml"].map((each) => [each, { schema: schemaOf(type) }]),
  );
  const isWrite = ["create", "update", "patch"].includes(verb);
  return {
    "200": { description: "OK", content },
    ...(isWrite ? { "201": { description: "Created", content } } : {}),
    ...(verb === "create" || verb === "delete"
      ? { "202": { description: "Accepted", content } }
      : {}),
    "401": { description: "Unauthorized" },
  };
}

function schemaOf(reference: string): Node {
  return reference === "" ? { type: "string" } : { $ref: reference };
}

function withScope(node: Node, { kind, namespaced }: ServedResource, hasName: boolean): Node {
  const parameters = [
    ...(hasName ? [pathParameter("name", `name of the ${kind}`)] : []),
    ...(namespaced
      ? [pathParameter("namespace", "object name and auth scope, such as for teams and projects")]
      : []),
  ];
  return parameters.length === 0 ? node : { ...node, parameters };
}

function discovery(resource: ServedResource): Node {
  const group = groupWord(resource);
  const version = resource.version.charAt(0).toUpperCase() + resource.version.slice(1);
  const schema = { $ref: `${metaPackage}APIResourceList` };
  return {
    get: {
      tags: [`${group.charAt(0).toLowerCase()}${group.slice(1)}_${resource.version}`],
      description: "get available resources",
      operationId: `get${group}${version}APIResources`,
      responses: {
        "200": { description: "OK", content: { "application/json": { schema } } },
        "401": { description: "Unauthorized" },
      },
    },
  };
}

function baseOf(resource: ServedResource): string {
  return `/${resource.group === "" ? "api" : "apis"}/${apiVersionOf(resource)}`;
}

/** `stable.example.com` as operations name it: `StableExampleCom`. */
function groupWord({ group, custom }: ServedResource): string {
  const name =
    group === "" ? "core" : custom === undefined ? group.replace(/\.k8s\.io$/, "") : group;
  return name
    .split(/[.-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}
