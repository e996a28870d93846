import { fail } from "../../diagnostics/index.ts";
import type { JsonValue } from "../../json/index.ts";
import { type Deferred, deferredOf, isOutput, outputValue } from "./deferred.ts";
import { describeDeferred, describeOrigin } from "./describe.ts";
import { findProvisioned } from "./holds-provisioned.ts";
import { handleOf, type Origin } from "./origin.ts";
import { originsOf } from "./origins-of.ts";

/** Gives what the resources behind a value have been found to be. */
export type Lookup = (origin: Origin) => JsonValue;

let resolving = 0;

/** Whether a function given to `map` or `each` is running: it may compute, but allocate nothing. */
export function isResolving(): boolean {
  return resolving > 0;
}

/** Computes a value, or the data that holds some, from the outputs of applied resources. */
export function resolveValue(value: unknown, lookup: Lookup): JsonValue {
  return resolve(value, lookup) as JsonValue;
}

function resolve(value: unknown, lookup: Lookup): unknown {
  const deferred = deferredOf(value);
  if (deferred !== undefined) return resolveDeferred(deferred, lookup);
  if (typeof value !== "object" || value === null) return value;
  const resource = handleOf(value);
  if (resource !== undefined) return lookup({ resource, path: [] });
  if (isOutput(value)) return resolve(value[outputValue], lookup);
  if (Array.isArray(value)) return value.map((item) => resolve(item, lookup));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, resolve(item, lookup)]),
  );
}

function resolveDeferred(deferred: Deferred, lookup: Lookup): unknown {
  switch (deferred.kind) {
    case "property":
      return lookup(deferred.origin);
    case "member":
      return memberAt(resolveDeferred(deferred.of, lookup), deferred.key);
    case "text":
      return deferred.parts.map((part) => String(resolve(part, lookup))).join("");
    case "sum":
      return add(resolve(deferred.left, lookup), resolve(deferred.right, lookup));
    case "map":
      return compute(deferred, () => deferred.compute(resolve(deferred.of, lookup) as never));
    case "when":
      return resolve(resolve(deferred.condition, lookup) ? deferred.yes : deferred.no, lookup);
    case "each":
      return eachItem(deferred, lookup);
  }
}

function eachItem(deferred: Deferred & { readonly kind: "each" }, lookup: Lookup): unknown {
  const list = resolve(deferred.list, lookup);
  if (!Array.isArray(list)) {
    return fail({
      code: "program.deferred-result",
      summary: `computing a list from ${describeDeferred(deferred)}: it is not a list`,
      hint: "give each(list, fn) a property that is a list",
    });
  }
  return list.map((item, index) => compute(deferred, () => deferred.compute(item as never, index)));
}

/** Runs the program's own function, and refuses a result that is no data or hides a dependency. */
function compute(deferred: Deferred, run: () => unknown): unknown {
  resolving++;
  try {
    const result = run();
    const hidden = findProvisioned(result);
    if (hidden !== undefined) {
      const [origin] = originsOf(hidden);
      const name = origin === undefined ? "another value" : describeOrigin(origin);
      fail({
        code: "program.deferred-result",
        summary: `computing from ${describeDeferred(deferred)}: the function uses ${name}, which it was not given`,
        detail: "Only what is passed to output() is known to be needed, and so applied before.",
        hint: "pass all values that the function needs: output([a, b]).map(([a, b]) => …)",
      });
    }
    if (result instanceof Promise || typeof result === "function" || handleOf(result)) {
      fail({
        code: "program.deferred-result",
        summary: `computing from ${describeDeferred(deferred)}: the function gave ${kindOf(result)}, not data`,
        hint: "return text, numbers, lists or objects",
      });
    }
    return result;
  } finally {
    resolving--;
  }
}

function kindOf(result: unknown): string {
  if (result instanceof Promise) return "a promise";
  return typeof result === "function" ? "a function" : "a resource";
}

function memberAt(value: unknown, key: string): unknown {
  return (value as Readonly<Record<string, unknown>>)[key];
}

// Both may turn out to be numbers or text; the language decides as it does for known values.
function add(left: unknown, right: unknown): unknown {
  return (left as string) + (right as string);
}
