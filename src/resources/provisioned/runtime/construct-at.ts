import { isProvisioned } from "../deferred.ts";
import { findProvisioned } from "../holds-provisioned.ts";
import { type ModuleReference, type Place, textOfPlace } from "../place.ts";
import { hasProvisioned } from "../provisioned-value.ts";
import { atPlace } from "../reject.ts";
import type { AnyFunction } from "./call-rule.ts";
import { refuse } from "./check.ts";
import { construct, siteOf } from "./construct.ts";
import { acceptProvisioned, isOwn } from "./own-functions.ts";

/** What a rewritten `new` calls. The place is that of the class. */
export function constructAt(
  target: unknown,
  args: readonly unknown[],
  line: number,
  column: number,
  className: string | undefined,
  start: number,
  end: number,
  module: ModuleReference,
): unknown {
  const place: Place = { module, start, end };
  if (isProvisioned(target)) return refuse(target, "is used as a class", place);
  if (!isConstructor(target)) throw new TypeError(`${textOfPlace(place)} is not a constructor`);
  const site = siteOf(module, line, column, className);
  if (!hasProvisioned() || isOwn(target)) return construct(target, args, site);
  const taken = argumentsFor(target, args, place);
  return atPlace(place, () => construct(target, taken, site));
}

/** The arguments of `super(…)`, refused like those of a call. */
export function superArguments(
  parent: unknown,
  args: readonly unknown[],
  start: number,
  end: number,
  module: ModuleReference,
): readonly unknown[] {
  if (!hasProvisioned() || typeof parent !== "function" || isOwn(parent)) return args;
  return argumentsFor(parent, args, { module, start, end });
}

function argumentsFor(target: object, given: readonly unknown[], place: Place): readonly unknown[] {
  if (target === Promise) return given.map(acceptingExecutor);
  const args = target === Set || target === Map ? withItems(given) : given;
  for (const found of heldBy(target, args)) {
    const name = (target as { readonly name?: string }).name ?? "a class";
    refuse(found, `is passed to new ${name}(), which may decide on it`, place);
  }
  return args;
}

/** The provisioned values that a class may decide on: sets look at their items, maps at their keys. */
function heldBy(target: object, args: readonly unknown[]): readonly unknown[] {
  const [items] = args;
  if (target === Set && Array.isArray(items)) return items.filter(isProvisioned);
  if (target === Map && Array.isArray(items)) {
    return items
      .map((entry: unknown) => (Array.isArray(entry) ? (entry[0] as unknown) : entry))
      .filter(isProvisioned);
  }
  return args.map(findProvisioned).filter((found) => found !== undefined);
}

/** Items that come from an iteration are taken from there once, so that they can be looked at. */
function withItems([items, ...others]: readonly unknown[]): readonly unknown[] {
  const isIteration =
    typeof items === "object" &&
    items !== null &&
    !Array.isArray(items) &&
    Symbol.iterator in items;
  return isIteration ? [[...(items as Iterable<unknown>)], ...others] : [items, ...others];
}

/** What settles a promise only hands the value on. */
function acceptingExecutor(executor: unknown): unknown {
  if (typeof executor !== "function") return executor;
  return (...settle: readonly object[]): unknown => {
    acceptProvisioned(...settle);
    return Reflect.apply(executor as AnyFunction, undefined, settle);
  };
}

function isConstructor(target: unknown): target is AnyFunction {
  if (typeof target !== "function") return false;
  if (Object.hasOwn(target, "prototype")) return true;
  try {
    // Nothing of the target runs: it only lends its prototype.
    Reflect.construct(Object, [], target);
    return true;
  } catch {
    return false;
  }
}
