import { isProvisioned, originsOf } from "./provisioned/index.ts";
import { viewPlace } from "./object-view.ts";
import { isPlainObject } from "./snapshot-properties.ts";
import { recordOf } from "./resource-record.ts";
import type { Reference } from "./resource-record.ts";
import type { KnownReads } from "./known-reads.ts";

const deepest = 100;

/** Finds every reference to another resource anywhere in the properties or fields of one. */
export function collectReferences(
  value: object,
  self: string,
  reads: KnownReads,
): readonly Reference[] {
  const found = new Map<string, Reference>();
  const seen = new Set<object>();
  const add = (to: string, at: string, path: readonly (string | number)[]): void => {
    if (to !== self && !found.has(to)) found.set(to, { to, at, path: path.join(".") });
  };
  const visit = (item: unknown, at: string, depth: number): void => {
    if (isProvisioned(item)) {
      for (const { resource, path } of originsOf(item)) add(resource.name, at, path);
      return;
    }
    if (typeof item === "string") {
      const read = reads.find(item);
      if (read !== undefined) add(read.resource, at, read.path);
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
      [typeof key === "string" ? key : "", inner] as const,
      ["key", key] as const,
    ]);
  }
  if (value instanceof Set) return [...value].map((inner) => ["item", inner] as const);
  return Array.isArray(value) || isPlainObject(value) ? Object.entries(value) : [];
}
