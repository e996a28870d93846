import { dirname, join, resolve } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/index.ts";
import { parseYamlValue } from "../../objects/index.ts";
import type { FileAccess } from "./file-access.ts";

const mostKustomizations = 1000;
const kustomizationNames = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

/** The file that makes a directory a kustomization. */
export function findKustomization(directory: string, files: FileAccess): string | undefined {
  return kustomizationNames
    .map((name) => join(directory, name))
    .find((path) => files.kindOf(path) === "file");
}

/** Every local file that a kustomization is built from, those of its bases too. */
export function kustomizeInputs(directory: string, files: FileAccess): readonly string[] {
  const found = new Set<string>();
  const pending = [directory];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (found.has(next) || found.size >= mostKustomizations) continue;
    const kind = files.kindOf(next);
    if (kind === undefined) continue;
    const file = kind === "directory" ? findKustomization(next, files) : undefined;
    if (file === undefined) {
      found.add(next);
    } else if (!found.has(file)) {
      found.add(file);
      pending.push(...referencesOf(file, files));
    }
  }
  return [...found];
}

const pathLists = [
  "resources",
  "bases",
  "components",
  "crds",
  "configurations",
  "generators",
  "transformers",
  "validators",
  "patchesStrategicMerge",
];
const objectLists = ["patches", "patchesJson6902", "replacements"];
const generators = ["configMapGenerator", "secretGenerator"];

function referencesOf(file: string, files: FileAccess): readonly string[] {
  const parsed = parseYamlValue(files.readText(file));
  if (parsed.kind === "problem" || !isJsonObject(parsed.value)) return [];
  const kustomization = parsed.value;
  const named = [
    ...pathLists.flatMap((field) => textsOf(kustomization[field])),
    ...objectLists.flatMap((field) => objectsOf(kustomization[field]).flatMap(pathOf)),
    ...generators.flatMap((field) => objectsOf(kustomization[field]).flatMap(generatorFiles)),
    ...objectsOf(kustomization["helmCharts"]).flatMap((chart) => [
      ...textsOf(chart["valuesFile"]),
      ...textsOf(chart["additionalValuesFiles"]),
    ]),
    ...objectsOf(kustomization["openapi"]).flatMap(pathOf),
  ];
  // What stands for text in the file itself, or is fetched from elsewhere, is no path here.
  const paths = named.filter((name) => !name.includes("\n") && !name.includes("://"));
  return paths.map((name) => resolve(dirname(file), name));
}

function pathOf({ path }: JsonObject): readonly string[] {
  return textsOf(path);
}

/** Files of a generator may be given a key: `key=path`. */
function generatorFiles(generator: JsonObject): readonly string[] {
  const listed = textsOf(generator["files"]).map((text) => text.slice(text.indexOf("=") + 1));
  return [...listed, ...textsOf(generator["envs"]), ...textsOf(generator["env"])];
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  const all = Array.isArray(value) ? value : [value];
  return all.filter((each) => typeof each === "string");
}

function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  const all = Array.isArray(value) ? value : [value];
  return all.filter(isJsonObject);
}
