import { join, resolve } from "node:path";
import { isJsonObject, type JsonValue } from "../../json/index.ts";
import { parseYamlValue } from "../../objects/index.ts";
import type { FileAccess } from "./file-access.ts";

const mostCharts = 200;

/** The directory of a chart and those of the local charts that it depends on. */
export function chartInputs(chart: string, files: FileAccess): readonly string[] {
  const found = new Set<string>();
  const pending = [chart];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (found.has(next) || found.size >= mostCharts) continue;
    found.add(next);
    for (const name of ["Chart.yaml", "requirements.yaml"]) {
      const path = join(next, name);
      if (files.kindOf(path) === "file") pending.push(...localDependencies(next, path, files));
    }
  }
  return [...found];
}

function localDependencies(chart: string, path: string, files: FileAccess): readonly string[] {
  const parsed = parseYamlValue(files.readText(path));
  if (parsed.kind === "problem" || !isJsonObject(parsed.value)) return [];
  const { dependencies } = parsed.value;
  return Array.isArray(dependencies) ? dependencies.flatMap((each) => localPath(chart, each)) : [];
}

function localPath(chart: string, dependency: JsonValue): readonly string[] {
  const repository = isJsonObject(dependency) ? dependency["repository"] : undefined;
  if (typeof repository !== "string" || !repository.startsWith("file://")) return [];
  return [resolve(chart, repository.slice("file://".length))];
}
