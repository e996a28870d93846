import { resolve } from "node:path";
import { type JsonObject, stringifyJson } from "../../json/index.ts";
import { hydrateFailure, type Hydrated } from "./hydrated.ts";

/** Values of a chart: a file, an address, or data. Later ones win. */
export type HelmValues = string | JsonObject;

/** Values as arguments for helm, with the files among them. Data goes through standard input. */
export interface GivenValues {
  readonly kind: "given";
  readonly arguments: readonly string[];
  readonly files: readonly string[];
  readonly input: string | undefined;
}

/** Puts values in order; helm reads standard input once, so that data can be given once. */
export function givenValues(
  values: HelmValues | readonly HelmValues[] | undefined,
  directory: string,
): GivenValues | { readonly kind: "failed"; readonly failed: Hydrated } {
  const all = values === undefined ? [] : isList(values) ? values : [values];
  const data = all.filter((each) => typeof each !== "string");
  if (data.length > 1)
    return {
      kind: "failed",
      failed: hydrateFailure("hydrate.input", `values are given as data ${data.length} times`, {
        hint: "Put them together, in your own code.",
      }),
    };
  const paths = all.map((each) => (typeof each === "string" ? pathOf(each, directory) : "-"));
  const [only] = data;
  return {
    kind: "given",
    arguments: paths.flatMap((path) => ["--values", path]),
    files: paths.filter((path) => path !== "-" && !path.includes("://")),
    input: only === undefined ? undefined : stringifyJson(only),
  };
}

/** helm also fetches values from addresses. */
function pathOf(file: string, directory: string): string {
  return file.includes("://") ? file : resolve(directory, file);
}

function isList(values: HelmValues | readonly HelmValues[]): values is readonly HelmValues[] {
  return Array.isArray(values);
}
