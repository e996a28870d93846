import { types } from "node:util";
import { deferredOf, isProvisioned } from "../deferred.ts";
import { type ModuleReference, type Place, textOfPlace } from "../place.ts";
import { reject } from "../reject.ts";
import { wayOut } from "./way-out.ts";

/** What the language does with a value at a place, and how a message puts it. */
export const uses = {
  if: "decides an if",
  while: "decides whether a loop goes on",
  conditional: "decides a condition (? :)",
  and: "decides an &&",
  or: "decides an ||",
  nullish: "decides a ??",
  not: "is negated",
  compare: "is compared",
  switch: "decides a switch",
  arithmetic: "is calculated with",
  convert: "is converted",
  typeof: "is asked for its type",
  in: "decides an in",
  instanceof: "is asked for its class",
  key: "is used as a property key",
  keys: "is iterated over",
  loop: "is iterated over",
  spread: "is spread",
  destructure: "is taken apart as a list",
  rest: "is asked for its other members",
  default: "decides whether a default applies",
  optional: "decides an optional chain (?.)",
  await: "is awaited, which does not wait for the apply",
  change: "is changed",
  import: "decides what is imported",
  extends: "is used as a class",
  call: "is called",
} as const;
export type Use = keyof typeof uses;

/** Gives the value back unless it is provisioned. */
export function check<T>(
  value: T,
  use: Use,
  start: number,
  end: number,
  module: ModuleReference,
): T {
  if (typeof value === "function" && isProvisioned(value)) {
    const place: Place = { module, start, end };
    refuse(value, uses[use], place, wayOut(use, place));
  }
  return value;
}

/**
 * Gives back a value that is iterated over. The engine would name the function that stands around
 * the expression now, not the expression: so what cannot be iterated over is reported here.
 */
export function checkIterable<T>(
  value: T,
  use: Use,
  start: number,
  end: number,
  module: ModuleReference,
): T {
  check(value, use, start, end, module);
  if (typeof value === "string" || mayIterate(value)) return value;
  throw new TypeError(`${textOfPlace({ module, start, end })} is not iterable`);
}

function mayIterate(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  const object = Object(value) as object;
  // Asking a proxy could be noticed.
  return types.isProxy(object) || Symbol.iterator in object || Symbol.asyncIterator in object;
}

export function refuse(value: unknown, what: string, place: Place, hint?: string): never {
  const deferred = deferredOf(value);
  if (deferred === undefined) throw new TypeError("only a provisioned value can be refused");
  return reject(deferred, what, place, hint);
}
