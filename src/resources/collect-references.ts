import { isProvisioned, originsOf } from "./provisioned/index.ts";
import { viewPlace } from "./object-view.ts";
import { isPlainObject } from "./snapshot-properties.ts";
import { recordOf } from "./resource-record.ts";
import type { ResourceRecord } from "./resource-record.ts";

/** One place among the properties of a resource that refers to another. */
export interface Reference {
  /** The name of the resource that is referred to. */
  readonly to: string;
  /** The property that holds the reference, such as `data.BUCKET`. */
  readonly at: string;
  /** The property of the other resource that is used, such as `arn`; empty for the whole. */
  readonly path: string;
}

const deepest = 100;

/** Finds every reference to another resource anywhere in properties or fields. */
export function collectReferences(value: object, self: ResourceRecord): readonly Reference[] {
  const found = new Map<string, Reference>();
  const seen = new Set<object>();
  const add = (to: string, at: string, path: readonly (string | number)[]): void => {
    if (to !== self.name && !found.has(to)) found.set(to, { to, at, path: path.join(".") });
  };
  const visit = (item: unknown, at: string, depth: number): void => {
    if (isProvisioned(item)) {
      for (const { resource, path } of originsOf(item)) add(resource.name, at, path);
      return;
    }
    if (typeof item !== "object" || item === null || seen.has(item) || depth > deepest) return;
    seen.add(item);
    const record = recordOf(item);
    if (record !== undefined) return add(record.name, at, []);
    const place = viewPlace(item);
    if (place !== undefined) add(place.record.name, at, place.path);
    for (const [key, inner] of members(item)) visit(inner, `${at}.${key}`, depth + 1);
  };
  for (const [key, inner] of Object.entries(value)) visit(inner, key, 0);
  return [...found.values()];
}

/** What plain data holds; instances of other classes are their own affair. */
function members(value: object): Iterable<readonly [string, unknown]> {
  if (value instanceof Map) {
    return [...value].flatMap(([key, inner]) => [
      [String(typeof key === "string" ? key : ""), inner] as const,
      ["key", key] as const,
    ]);
  }
  if (value instanceof Set) return [...value].map((inner) => ["item", inner] as const);
  return Array.isArray(value) || isPlainObject(value) ? Object.entries(value) : [];
}
