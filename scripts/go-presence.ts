/**
 * Reads from Go source how each field of an API struct is written to JSON, which OpenAPI does not
 * say: whether an absent field still appears, and whether an empty one disappears.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Where the Go modules with the API types lie. */
export interface GoModules {
  readonly api: string;
  readonly apimachinery: string;
  readonly apiextensions: string;
  readonly aggregator: string;
}

/**
 * The presence letter of each JSON field, by OpenAPI definition name:
 * `v` a value left out when empty, `r` a value always written, `p` a pointer left out when nil,
 * `P` a pointer written as null, `z` left out when zero.
 */
export function readGoPresence(
  modules: GoModules,
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const structs = new Map<string, string>();
  for (const [prefix, pattern] of sources(modules)) {
    for (const file of globSync(pattern)) {
      const packageName = prefix(file);
      for (const [name, body] of structBodies(readFileSync(file, "utf8"))) {
        structs.set(`${packageName}.${name}`, body);
      }
    }
  }
  return new Map([...structs.keys()].map((name) => [name, fieldsOf(name, structs)]));
}

type Prefix = (file: string) => string;

function sources(modules: GoModules): readonly (readonly [Prefix, string])[] {
  const under =
    (directory: string, prefix: string): Prefix =>
    (file) =>
      [
        prefix,
        ...file
          .slice(directory.length + 1)
          .split("/")
          .slice(0, -1),
      ].join(".");
  return [
    [under(modules.api, "io.k8s.api"), join(modules.api, "*/*/types*.go")],
    [
      under(modules.apimachinery, "io.k8s.apimachinery"),
      join(modules.apimachinery, "pkg/apis/meta/v1/types.go"),
    ],
    [
      under(modules.apiextensions, "io.k8s.apiextensions-apiserver"),
      join(modules.apiextensions, "pkg/apis/apiextensions/v1/types*.go"),
    ],
    [
      under(modules.aggregator, "io.k8s.kube-aggregator"),
      join(modules.aggregator, "pkg/apis/apiregistration/v1/types.go"),
    ],
  ];
}

function* structBodies(text: string): Iterable<[string, string]> {
  for (const match of text.matchAll(/^type (\w+) struct \{\n([\s\S]*?)^\}/gm)) {
    yield [match[1] ?? "", match[2] ?? ""];
  }
}

const fieldPattern = /^\t(?:(\w+)\s+)?(\S+)\s+`[^`]*json:"([^"]*)"/;

function fieldsOf(name: string, structs: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const line of (structs.get(name) ?? "").split("\n")) {
    const match = fieldPattern.exec(line);
    if (match === null) continue;
    const [, , type = "", tag = ""] = match;
    const [key = "", ...options] = tag.split(",");
    if (key === "") {
      const embedded = resolveType(type.replace("*", ""), name);
      for (const [inner, letter] of fieldsOf(embedded, structs)) fields.set(inner, letter);
      continue;
    }
    fields.set(key, letterOf(type, options, isStruct(type, name, structs)));
  }
  return fields;
}

function letterOf(type: string, options: readonly string[], isStruct: boolean): string {
  if (options.includes("omitzero")) return "z";
  const leavesOutEmpty = options.includes("omitempty");
  if (type.startsWith("*")) return leavesOutEmpty ? "p" : "P";
  // encoding/json never takes a struct for empty.
  return leavesOutEmpty && !isStruct ? "v" : "r";
}

const scalarStructs = new Set([
  "metav1.Time",
  "metav1.MicroTime",
  "metav1.Duration",
  "Time",
  "MicroTime",
  "Duration",
  "resource.Quantity",
  "intstr.IntOrString",
  "runtime.RawExtension",
]);

function isStruct(type: string, owner: string, structs: ReadonlyMap<string, string>): boolean {
  return scalarStructs.has(type) || structs.has(resolveType(type, owner));
}

/** The definition name of a Go type as written in the package of `owner`. */
function resolveType(type: string, owner: string): string {
  const own = owner.slice(0, owner.lastIndexOf("."));
  const dot = type.indexOf(".");
  if (dot === -1) return `${own}.${type}`;
  const alias = type.slice(0, dot);
  const bare = type.slice(dot + 1);
  if (alias === "metav1") return `io.k8s.apimachinery.pkg.apis.meta.v1.${bare}`;
  const versioned = /^([a-z]+)(v\d\w*)$/.exec(alias) ?? [alias, "core", alias];
  return `io.k8s.api.${versioned[1]}.${versioned[2]}.${bare}`;
}
