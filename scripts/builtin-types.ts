import { apiVersionOf } from "../src/objects/index.ts";
import { builtinResources } from "../src/schema/builtin-resources.ts";
import { builtinSchemas } from "../src/schema/builtin-schemas.ts";
import type { Schema, SchemaSet } from "../src/schema/index.ts";
import { fieldsOfSchema, type TypeWriting } from "../src/resources/types/schema-type.ts";

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
  const named = [...names].flatMap(([definition, name]) => {
    const schema = wanted.has(definition) ? schemas.definition(definition) : undefined;
    return schema?.properties === undefined ? [] : [{ name, fields: fieldsOf(schema, writing) }];
  });
  const first = new Map(named.toReversed().map((each) => [sameness(each), each.name]));
  return [objectFields, ...named.map((each) => declaration(each, first))].join("\n\n");
}

interface NamedFields {
  readonly name: string;
  readonly fields: string;
}

/** Conditions of many kinds are one type; what is only alike by chance, and whole objects, keep their own. */
function sameness({ name, fields }: NamedFields): string {
  const [noun = name] = /[A-Z][a-z0-9]+$/.exec(name) ?? [];
  return fields.startsWith("{") ? `${noun} ${fields}` : `${name} ${fields}`;
}

function declaration(named: NamedFields, first: ReadonlyMap<string, string>): string {
  const { name, fields } = named;
  const same = first.get(sameness(named)) ?? name;
  return same === name ? `export interface ${name} ${fields}` : `export type ${name} = ${same};`;
}

/** What every object of the API has. */
const common = ["apiVersion", "kind", "metadata"];
const objectFields = `/** What every object has. */
interface ObjectFields {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?: ObjectMeta | undefined;
}`;

function fieldsOf(schema: Schema, writing: TypeWriting): string {
  const isObject =
    common.every((key) => schema.properties?.has(key) === true) &&
    !common.some((key) => schema.required?.includes(key) === true);
  return isObject
    ? `extends ObjectFields ${fieldsOfSchema(schema, writing, 0, common)}`
    : fieldsOfSchema(schema, writing);
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
