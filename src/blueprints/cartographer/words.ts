/** What Cartographer says of an owner, a step or a tag, word by word. */
import type { Family } from "../groups.ts";
import type { Found } from "../requirements/evaluate-path.ts";
import { goText } from "./go-text.ts";

type Labels = Readonly<Record<string, string>>;

export function unservedWords(
  { ownerName, blueprintName }: Family,
  kind: "several" | "none",
  labels: Labels,
): string {
  if (kind === "several") return `${ownerName} may only match a single ${blueprintName}'s selector`;
  return Object.keys(labels).length === 0
    ? `${ownerName} has no labels to match to ${blueprintName}`
    : `no ${blueprintName} found where full selector is satisfied by labels: ${goText(labels)}`;
}

export function missingAccountWords(namespace: string, name: string): string {
  const key = `${namespace}/${name}`;
  return `failed to get service account object from api server [${key}]: failed to get object [${key}] from api server: ServiceAccount "${name}" not found`;
}

export function yttWords(printed: string): string {
  return `unable to apply ytt template: ${printed}`;
}

export function missingRunTemplateWords(name: string): string {
  return `unable to get run template [${name}]: failed to get run template object from api server [ClusterRunTemplate/${name}]: ClusterRunTemplate.carto.run "${name}" not found`;
}

export function optionsWords(step: string, where: string, matched: readonly string[]): string {
  const names = matched.length === 0 ? "" : `[${matched.join(", ")}] `;
  return `expected exactly 1 option to match, found [${matched.length}] matching options ${names}for resource [${step}] in ${where}`;
}

/** Why a tag of a template has no value; within a text it is called otherwise than where it is all of it. */
export function tagWords(
  path: string,
  place: string,
  isWhole: boolean,
  found: Exclude<Found, { kind: "value" }> | { readonly kind: "null" },
): string {
  const inTag = isWhole ? `evaluate tag $(${path})$` : "interpolate tag: evaluate jsonpath";
  const why =
    found.kind === "null"
      ? `interpolate tag: tag must not point to nil value: ${path}`
      : `${inTag}: ${pathWords(path, found)}`;
  return `failed to recursively evaluate template: failed to interpolate template at path [${place}]: ${why}`;
}

function pathWords(path: string, found: Exclude<Found, { kind: "value" }>): string {
  switch (found.kind) {
    case "missing":
      return `jsonpath returned empty list: ${path}`;
    case "several":
      return `too many results for the query: ${path}`;
    case "unreadable": {
      const why = /bracket is not closed/.test(found.message)
        ? "unterminated array"
        : found.message;
      return `evaluate: failed to parse jsonpath '{${path.startsWith(".") ? path : `.${path}`}}': ${why}`;
    }
  }
}
