import { builtinSchemas } from "../../../schema/index.ts";
import type { ServedResource } from "../served-resource.ts";
import { customDefinition, customDefinitionName, listDefinition } from "./custom-definition.ts";
import { Definitions, type Descriptions } from "./definitions.ts";
import { pathsOf } from "./paths.ts";

export type { Descriptions } from "./definitions.ts";

const metaPackage = "io.k8s.apimachinery.pkg.apis.meta.v1.";
/** What requests and answers consist of beside objects. */
const alwaysThere = ["APIResourceList", "DeleteOptions", "Patch", "Status", "WatchEvent"];

/** The document of one group and version. */
export function documentV3(
  resources: readonly ServedResource[],
  descriptions: Descriptions,
): unknown {
  const { definitions, references } = schemaDefinitions(resources, descriptions);
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version: "v1.36.3" },
    paths: pathsOf(resources, references),
    components: {
      schemas: definitions.all(),
      securitySchemes: {
        BearerToken: {
          type: "apiKey",
          description: "Bearer Token authentication",
          name: "authorization",
          in: "header",
        },
      },
    },
  };
}

/** How operations refer to the types of resources: by kind and group. */
export type References = (resource: ServedResource, part?: PartKind) => TypeReferences;

export interface PartKind {
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
}

/** Where types are defined; empty for what is plain text. */
export interface TypeReferences {
  readonly object: string;
  readonly list: string;
}

export function schemaDefinitions(
  resources: readonly ServedResource[],
  descriptions: Descriptions,
): { readonly definitions: Definitions; readonly references: References } {
  const definitions = new Definitions(descriptions);
  for (const name of alwaysThere) definitions.reference(`${metaPackage}${name}`);
  for (const name of ["ObjectMeta", "ListMeta"]) definitions.reference(`${metaPackage}${name}`);
  const versions = new Map([["/v1", { group: "", version: "v1" }]]);
  for (const { group, version } of resources)
    versions.set(`${group}/${version}`, { group, version });
  for (const kind of ["DeleteOptions", "WatchEvent"]) {
    for (const { group, version } of versions.values()) {
      definitions.markKind(`${metaPackage}${kind}`, { group, kind, version });
    }
  }
  definitions.markKind(`${metaPackage}Status`, { group: "", kind: "Status", version: "v1" });
  const known = new Map<string, TypeReferences>();
  for (const resource of resources) {
    const { group, version, kind } = resource;
    const key = `${group}/${version}/${kind}`;
    if (!known.has(key)) known.set(key, addKind(definitions, resource));
  }
  const references: References = (resource, part) => {
    const { group, version, kind } = { ...resource, ...part };
    const found = known.get(`${group}/${version}/${kind}`);
    if (found !== undefined) return found;
    const name = builtinSchemas().get({ group, version, kind })?.name;
    // Options of connections are no types of the API.
    if (name === undefined) return { object: "", list: "" };
    const object = definitions.reference(name);
    definitions.markKind(name, { group, kind, version });
    const added = { object, list: object };
    known.set(`${group}/${version}/${kind}`, added);
    return added;
  };
  return { definitions, references };
}

function addKind(definitions: Definitions, resource: ServedResource): TypeReferences {
  const { group, version, kind, listKind, custom, schema } = resource;
  const name = custom === undefined ? (schema?.name ?? "") : customDefinitionName(resource);
  const object =
    custom === undefined
      ? definitions.reference(name)
      : definitions.add(name, customDefinition(resource));
  definitions.markKind(name, { group, kind, version });
  if (!resource.verbs.includes("list")) return { object, list: object };
  const listName = `${name.slice(0, -kind.length)}${listKind}`;
  const list = definitions.add(listName, listDefinition(resource, object));
  definitions.markKind(listName, { group, kind: listKind, version });
  return { object, list };
}
