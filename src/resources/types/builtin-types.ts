import { apiVersionOf } from "../../objects/index.ts";
import { builtinResources } from "../../schema/builtin-resources.ts";
import { builtinSchemas } from "../../schema/builtin-schemas.ts";
import type { Schema, SchemaSet } from "../../schema/index.ts";
import { fieldsOfSchema, type TypeWriting } from "./schema-type.ts";

/** A kind that a program can ask for, and the version of it that its class stands for. */
export interface NamedKind {
  readonly kind: string;
  readonly apiVersion: string;
  /** The name of the type of its objects. */
  readonly type: string;
}

/** The kinds that can be applied, one version of each: discovery lists the preferred one first. */
export function namedKinds(): readonly NamedKind[] {
  const schemas = builtinSchemas();
  const names = typeNames(schemas);
  const found = new Map<string, NamedKind>();
  for (const resource of builtinResources()) {
    const schema = schemas.get(resource);
    const isNew = !found.has(resource.kind) && resource.verbs.includes("patch");
    if (!isNew || schema?.name === undefined) continue;
    found.set(resource.kind, {
      kind: resource.kind,
      apiVersion: apiVersionOf(resource),
      type: names.get(schema.name) ?? resource.kind,
    });
  }
  return [...found.values()].sort((a, b) => (a.kind < b.kind ? -1 : 1));
}

/** The declarations of all types that the built-in kinds are made of. */
export function builtinTypesText(): string {
  const schemas = builtinSchemas();
  const names = typeNames(schemas);
  const writing: TypeWriting = {
    // A type without fields is any JSON, which needs no name.
    nameOf: ({ name, properties }) =>
      name === undefined || properties === undefined ? undefined : names.get(name),
    hasComments: false,
  };
  const wanted = reachable(schemas);
  return [...names]
    .filter(([definition]) => wanted.has(definition))
    .flatMap(([definition, name]) => {
      const schema = schemas.definition(definition);
      return schema?.properties === undefined
        ? []
        : [`export interface ${name} ${fieldsOfSchema(schema, writing)}`];
    })
    .join("\n\n");
}

/** `PodSpec`, and where two groups have one of that name `RbacSubject` and `FlowcontrolSubject`. */
function typeNames(schemas: SchemaSet): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const name of schemas.definitionNames) {
    counts.set(lastPart(name), (counts.get(lastPart(name)) ?? 0) + 1);
  }
  return new Map(
    schemas.definitionNames.map((name) => {
      const short = lastPart(name);
      return [name, counts.get(short) === 1 ? short : `${groupPrefix(name)}${short}`];
    }),
  );
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

function groupPrefix(name: string): string {
  const [group = "", version = ""] = name.split(".").slice(-3, -1);
  const suffix = version === "v1" ? "" : version.toUpperCase();
  return `${group.charAt(0).toUpperCase()}${group.slice(1)}${suffix}`;
}

function reachable(schemas: SchemaSet): ReadonlySet<string> {
  const found = new Set<string>();
  const open: Schema[] = builtinResources()
    .filter(({ verbs }) => verbs.includes("patch"))
    .flatMap((resource) => schemas.get(resource) ?? []);
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    if (schema.name !== undefined) {
      if (found.has(schema.name)) continue;
      found.add(schema.name);
    }
    open.push(...(schema.properties?.values() ?? []));
    if (schema.items !== undefined) open.push(schema.items);
    if (typeof schema.additionalProperties === "object") open.push(schema.additionalProperties);
  }
  return found;
}
