/**
 * Writes src/schema/data/ from the Go modules of one Kubernetes release: the structure of every kind
 * that a default kube-apiserver serves, its discovery, and (apart) the descriptions.
 *
 * Run by hand when the Kubernetes version changes: `node scripts/generate-schemas.ts`. It needs `go`
 * to fetch the modules; the result is committed, so nothing else does.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { readGoPresence } from "./go-presence.ts";
import { root } from "./run.ts";

const kubernetesVersion = "v1.36.3";
const librariesVersion = "v0.36.3";
/** The Go command; another one can be named by GO. */
const go = process.env["GO"] ?? "go";

interface OpenApiSchema {
  readonly $ref?: string;
  readonly allOf?: readonly OpenApiSchema[];
  readonly oneOf?: readonly OpenApiSchema[];
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly items?: OpenApiSchema;
  readonly additionalProperties?: OpenApiSchema | boolean;
  readonly required?: readonly string[];
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly [extension: `x-kubernetes-${string}`]: unknown;
}

interface LegacyResource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

const kubernetes = moduleDirectory("k8s.io/kubernetes", kubernetesVersion);
const groupVersions = readServedGroupVersions();
const definitions = readDefinitions();
const names = reachableDefinitions();
const indexOf = new Map(names.map((name, index) => [name, index]));
const presence = readGoPresence({
  api: moduleDirectory("k8s.io/api", librariesVersion),
  apimachinery: moduleDirectory("k8s.io/apimachinery", librariesVersion),
  apiextensions: moduleDirectory("k8s.io/apiextensions-apiserver", librariesVersion),
  aggregator: moduleDirectory("k8s.io/kube-aggregator", librariesVersion),
});

writeData("structure", "The structure of the built-in kinds, as JSON.", {
  names,
  nodes: names.map((name) => definitionNode(name)),
});
writeData("discovery", "What a default kube-apiserver serves, as JSON.", discovery());
writeDescriptions();

function moduleDirectory(path: string, version: string): string {
  const text = execFileSync(go, ["mod", "download", "-json", `${path}@${version}`], {
    encoding: "utf8",
    cwd: "/",
  });
  return (JSON.parse(text) as { Dir: string }).Dir;
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(kubernetes, path), "utf8"));
}

/** The group versions served by default: since 1.24 no new beta is, and none of the old is left. */
function readServedGroupVersions(): readonly string[] {
  const { groups } = readJson("api/discovery/apis.json") as {
    groups: readonly { versions: readonly { groupVersion: string }[] }[];
  };
  return [
    "v1",
    ...groups.flatMap((group) => group.versions.map((each) => each.groupVersion)),
  ].filter((groupVersion) => !/(?:alpha|beta)/.test(groupVersion));
}

function readDefinitions(): ReadonlyMap<string, OpenApiSchema> {
  const all = new Map<string, OpenApiSchema>();
  for (const groupVersion of groupVersions) {
    const file = groupVersion === "v1" ? "api__v1" : `apis__${groupVersion.replace("/", "__")}`;
    const document = readJson(`api/openapi-spec/v3/${file}_openapi.json`) as {
      components: { schemas: Record<string, OpenApiSchema> };
    };
    for (const [name, schema] of Object.entries(document.components.schemas)) all.set(name, schema);
  }
  return all;
}

/** Everything but list kinds, which the server makes itself from the kinds. */
function reachableDefinitions(): readonly string[] {
  return [...definitions.keys()]
    .filter((name) => scalarOf(name) === undefined && !isListKind(name))
    .sort();
}

function isListKind(name: string): boolean {
  const schema = definitions.get(name);
  return (
    name.endsWith("List") && schema?.properties?.["items"] !== undefined && name.includes(".v")
  );
}

/** Definitions that are one JSON scalar (or anything): a letter of their own, no reference. */
function scalarOf(name: string): string | undefined {
  const scalars: Readonly<Record<string, string>> = {
    "io.k8s.apimachinery.pkg.apis.meta.v1.Time": "t",
    "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime": "u",
    "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1": "f",
    "io.k8s.apimachinery.pkg.api.resource.Quantity": "q",
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString": "x",
    "io.k8s.apimachinery.pkg.runtime.RawExtension": "w",
  };
  return scalars[name];
}

function definitionNode(name: string): unknown {
  const schema = definitions.get(name) ?? {};
  const fields = presence.get(name);
  const properties = Object.entries(schema.properties ?? {}).map(([key, child]) => [
    key,
    propertyNode(child, fields?.get(key)),
  ]);
  return compact({
    ...attributes(schema),
    t: schema.type === "object" || schema.type === undefined ? undefined : schema.type,
    "*": schema.type === undefined ? 1 : undefined,
    p: properties.length === 0 ? undefined : Object.fromEntries(properties),
    r: schema.required,
    g: schema["x-kubernetes-group-version-kind"],
  });
}

/** `kind` is what the Go field is when that is not what its type suggests. */
function propertyNode(schema: OpenApiSchema, go: string | undefined): unknown {
  const node = childNode(schema, true);
  const usual = typeof node === "number" || hasReference(node) ? "p" : "v";
  if (go === undefined || go === usual) return node;
  return isRecord(node) ? { ...node, o: go } : { t: node, o: go };
}

function hasReference(node: unknown): boolean {
  return isRecord(node) && typeof node["t"] === "number";
}

function childNode(schema: OpenApiSchema, isProperty = false): unknown {
  const type = typeCode(schema);
  const extra = attributes(schema, isProperty);
  if (schema.type === "array") return { ...extra, i: childNode(schema.items ?? {}) };
  if (schema.type === "object" && typeof schema.additionalProperties === "object") {
    return { ...extra, a: childNode(schema.additionalProperties) };
  }
  return Object.keys(extra).length === 0 ? type : { ...extra, t: type };
}

function typeCode(schema: OpenApiSchema): string | number {
  const reference = schema.$ref ?? schema.allOf?.[0]?.$ref;
  if (reference !== undefined) {
    const name = reference.replace("#/components/schemas/", "");
    return scalarOf(name) ?? indexOf.get(name) ?? missing(name);
  }
  switch (schema.type) {
    case "string":
      return schema.format === "byte" ? "y" : "s";
    case "integer":
      return schema.format === "int64" ? "l" : "i";
    case "number":
      return "n";
    case "boolean":
      return "b";
    case "object":
      return "o";
    case undefined:
    default:
      return "*";
  }
}

function attributes(schema: OpenApiSchema, isProperty = false): Record<string, unknown> {
  const isZero = ["0", '""', "false", "{}"].includes(JSON.stringify(schema.default) ?? "");
  return compact({
    // A zero default only repeats how Go writes the field; its presence letter says so already.
    d: isZero ? undefined : schema.default,
    e: schema.enum,
    L: schema["x-kubernetes-list-type"],
    K: schema["x-kubernetes-list-map-keys"],
    M: schema["x-kubernetes-map-type"],
    S: schema["x-kubernetes-patch-strategy"],
    G: schema["x-kubernetes-patch-merge-key"],
    // A zero default of a list key still decides which item is meant.
    z: isProperty && isZero && typeof schema.default !== "object" ? 1 : undefined,
  });
}

function compact(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function missing(name: string): never {
  throw new Error(`${name} is referenced but not defined`);
}

function discovery(): unknown {
  return groupVersions.map((groupVersion) => {
    const file = groupVersion === "v1" ? "api__v1" : `apis__${groupVersion.replace("/", "__")}`;
    const { resources } = readJson(`api/discovery/${file}.json`) as {
      resources: readonly LegacyResource[];
    };
    const mains = resources.filter((each) => !each.name.includes("/"));
    return {
      groupVersion,
      resources: mains.map((main) => ({
        ...resourceRow(main),
        subresources: resources
          .filter((each) => each.name.startsWith(`${main.name}/`))
          .map((each) => ({ ...resourceRow(each), name: each.name.slice(main.name.length + 1) })),
      })),
    };
  });
}

function resourceRow(resource: LegacyResource): Record<string, unknown> {
  const { name, singularName, namespaced, kind, group, version, verbs } = resource;
  const { shortNames, categories } = resource;
  return compact({
    name,
    singularName: singularName === "" ? undefined : singularName,
    namespaced,
    kind,
    group,
    version,
    verbs: verbs.join(" "),
    shortNames,
    categories,
  });
}

function writeData(name: string, comment: string, value: unknown): void {
  const text = JSON.stringify(value).replaceAll("\\", "\\\\").replaceAll("'", "\\'");
  write(name, `${comment} Written by scripts/generate-schemas.ts.`, `'${text}'`);
}

function writeDescriptions(): void {
  const described = names.map((name) => {
    const schema = definitions.get(name);
    const properties = Object.values(schema?.properties ?? {});
    return [schema?.description ?? "", ...properties.map((each) => each.description ?? "")];
  });
  const packed = brotliCompressSync(JSON.stringify(described), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
  });
  write(
    "descriptions",
    "Descriptions of definitions and their properties, in the order of the structure: brotli, base64. Written by scripts/generate-schemas.ts.",
    `"${packed.toString("base64")}"`,
  );
}

function write(name: string, comment: string, literal: string): void {
  writeFileSync(
    join(root, "src/schema/data", `${name}.ts`),
    `/** ${comment} */\nexport const ${name}: string = ${literal};\n`,
  );
}
