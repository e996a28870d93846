import { createHash } from "node:crypto";

const longestName = 63;
const hashLength = 6;

/**
 * The name of an object that has none of its own: after the friendly id, where the numbers of the
 * instances around it come last, because names of some kinds may not begin with a digit.
 */
export function nameFromId(id: string): string {
  const parts = id.split("/");
  const isNumber = (part: string): boolean => /^\d+$/.test(part);
  const ordered = [...parts.filter((part) => !isNumber(part)), ...parts.filter(isNumber)];
  return shorten(ordered.map(kebabCase).join("-"), longestName);
}

/** After scope and kind, with a hash of the resource's name: as stable as that name. */
export function nameFromScope(scope: string, kind: string, resourceName: string): string {
  const hash = shortHash(resourceName);
  const text = shorten(`${kebabCase(scope)}-${kebabCase(kind)}`, longestName - hash.length - 1);
  return `${text}-${hash}`;
}

/** Appends to a generated name: the result stays within the bound, and the suffix whole. */
export function withSuffix(name: string, suffix: string): string {
  return `${shorten(name, longestName - suffix.length - 1)}-${suffix}`;
}

export function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, hashLength);
}

/** `ConfigMap` → `config-map`, `HTTPRoute` → `http-route`, `cluster/utils` → `cluster-utils`. */
export function kebabCase(text: string): string {
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1-$2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
}

/** Cuts at the front: the end of a scope says more than its beginning. */
function shorten(text: string, length: number): string {
  return text.length <= length ? text : text.slice(-length).replace(/^[-.0-9]+/, "");
}
