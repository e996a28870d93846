/**
 * Writes src/schema/data/wire.ts: the field numbers of the built-in types, which is all that the
 * schemas do not say about their protobuf form.
 *
 * Run by hand when the Kubernetes version changes: `node scripts/generate-wire.ts`, after
 * generate-schemas.ts. It needs `go` to fetch the modules.
 */
import { execFileSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtinSchemas } from "../src/schema/index.ts";
import { root } from "./run.ts";

const librariesVersion = "v0.36.3";
const modules = ["api", "apimachinery", "apiextensions-apiserver", "kube-aggregator"];

interface ProtoField {
  readonly number: number;
  readonly name: string;
  readonly type: string;
}

const messages = readMessages();
const schemas = builtinSchemas();
const rows = new Map<string, string>();
for (const name of schemas.definitionNames) addMessage(name, schemas.definition(name)?.properties);

const lines = [...rows].map(([name, fields]) => `${name} ${fields}`).sort();
writeFileSync(
  join(root, "src/schema/data/wire.ts"),
  `/** Field numbers of the built-in types, a type per line. Written by scripts/generate-wire.ts. */\nexport const wire: string = ${JSON.stringify(lines.join("\n"))};\n`,
);

/** A field that its type does not have in JSON is a struct whose fields are written in its place. */
function addMessage(name: string, properties: ReadonlyMap<string, unknown> | undefined): void {
  const fields = messages.get(name);
  if (fields === undefined || properties === undefined || rows.has(name)) return;
  let last = 0;
  const words = fields.map(({ number, name: key, type }) => {
    const position = number === last + 1 ? "" : `${number}=`;
    last = number;
    const property = propertyOf(properties, key);
    if (property !== undefined) return `${position}${property}`;
    const inlined = messages.has(type) ? type : `${name.replace(/[^.]+$/, "")}${type}`;
    if (!messages.has(inlined)) throw new Error(`${name}.${key} is neither a field nor a struct`);
    addMessage(inlined, properties);
    return `${position}^${inlined}`;
  });
  rows.set(name, words.join(","));
}

/** Some names differ in case or signs: `Expression` is `expression` in JSON, `ref` is `$ref`. */
function propertyOf(properties: ReadonlyMap<string, unknown>, key: string): string | undefined {
  if (properties.has(key)) return key;
  const letters = (name: string): string => name.toLowerCase().replaceAll(/[^a-z\d]/g, "");
  return [...properties.keys()].find((each) => letters(each) === letters(key));
}

function readMessages(): ReadonlyMap<string, readonly ProtoField[]> {
  const found = new Map<string, readonly ProtoField[]>();
  for (const module of modules) {
    const directory = moduleDirectory(`k8s.io/${module}`);
    for (const file of globSync("**/generated.proto", { cwd: directory })) {
      readProto(readFileSync(join(directory, file), "utf8"), found);
    }
  }
  return found;
}

function readProto(text: string, found: Map<string, readonly ProtoField[]>): void {
  const packageName = /^package (\S+);/m.exec(text)?.[1] ?? "";
  for (const [, message = "", body = ""] of text.matchAll(/^message (\w+) \{(.*?)^\}/gms)) {
    const fields = [
      ...body.matchAll(
        /^ {2}(?:(?:optional|repeated|required) )?(\S+|map<.+?>) (\w+) = (\d+)[^;]*;/gm,
      ),
    ].map(([, type = "", name = "", number]) => ({
      number: Number(number),
      name,
      type: definitionName(type.replace(/^\./, "")),
    }));
    found.set(
      definitionName(`${packageName}.${message}`),
      fields.sort((left, right) => left.number - right.number),
    );
  }
}

/** `k8s.io.api.core.v1.Pod` in protobuf is `io.k8s.api.core.v1.Pod` in OpenAPI. */
function definitionName(name: string): string {
  return name.replace(/^k8s\.io\./, "io.k8s.").replaceAll("_", "-");
}

function moduleDirectory(path: string): string {
  const text = execFileSync("go", ["mod", "download", "-json", `${path}@${librariesVersion}`], {
    encoding: "utf8",
    cwd: "/",
  });
  return (JSON.parse(text) as { Dir: string }).Dir;
}
