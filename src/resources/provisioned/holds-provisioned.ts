import { isOutput, isProvisioned, outputValue } from "./deferred.ts";
import { hasProvisioned } from "./provisioned-value.ts";

/** The first provisioned value in data: the value itself, or what plain objects and lists hold. */
export function findProvisioned(value: unknown): unknown {
  if (!hasProvisioned()) return undefined;
  return find(value, undefined);
}

export function holdsProvisioned(value: unknown): boolean {
  return findProvisioned(value) !== undefined;
}

function find(value: unknown, seen: Set<unknown> | undefined): unknown {
  if (isProvisioned(value)) return value;
  if (typeof value === "object" && value !== null && isOutput(value)) {
    return find(value[outputValue], seen);
  }
  if (!isPlain(value) || seen?.has(value) === true) return undefined;
  const visited = seen ?? new Set<unknown>();
  visited.add(value);
  // Descriptors rather than values: looking must not run anybody's getter.
  for (const key of Reflect.ownKeys(value)) {
    const descriptor = Object.getOwnPropertyDescriptor(value, key);
    const found = find(descriptor?.value, visited);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Object literals and lists; an instance of a class answers for itself. */
function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
