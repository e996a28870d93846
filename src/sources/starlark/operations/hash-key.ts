import type { HashKey, Value } from "../values/value.ts";

/** What a table finds a value by. Primitives stand for themselves: `True` is not `1`. */
export function hashKeyOf(value: Value): HashKey {
  return typeof value === "object" && value !== null ? value.hashKey() : value;
}

/**
 * One key for a sequence of keys. It begins with a character that no Starlark string can hold, so
 * that it is never mistaken for one.
 */
export function compoundKey(type: string, keys: readonly HashKey[]): string {
  let compound = `\u0100${type}`;
  for (const key of keys) {
    if (typeof key === "string") compound += `s${key.length}:${key}`;
    else if (typeof key === "object" && key !== null) compound += `o${identityOf(key)};`;
    else compound += `${typeof key === "boolean" ? "b" : "n"}${String(key)};`;
  }
  return compound;
}

const identities = new WeakMap<object, number>();
let lastIdentity = 0;

function identityOf(object: object): number {
  const known = identities.get(object);
  if (known !== undefined) return known;
  identities.set(object, ++lastIdentity);
  return lastIdentity;
}
