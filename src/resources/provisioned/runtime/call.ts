import { deferredOf, isProvisioned } from "../deferred.ts";
import { type ModuleReference, type Place, textOfPlace } from "../place.ts";
import { hasProvisioned } from "../provisioned-value.ts";
import { builtInRules } from "./built-in-rules.ts";
import { type AnyFunction, foreign } from "./call-rule.ts";
import { refuse } from "./check.ts";
import { acceptProvisioned, isOwn } from "./own-functions.ts";

/** `target(…args)` with `self` as `this`. The place is that of what is called. */
export function call(
  target: unknown,
  self: unknown,
  start: number,
  end: number,
  module: ModuleReference,
  ...args: readonly unknown[]
): unknown {
  if (typeof target !== "function") return refuseNonFunction(self, { module, start, end });
  // Here rather than in what follows: every step between two functions takes from the stack.
  if (!hasProvisioned() || isOwn(target)) return Reflect.apply(target, self, args);
  return callAt(target as AnyFunction, self, args, { module, start, end });
}

/**
 * Gives a function back that may be called as it is, or one that looks at the arguments first. What
 * cannot be called is found out when it is, after the arguments.
 */
export function guard(
  target: unknown,
  self: unknown,
  start: number,
  end: number,
  module: ModuleReference,
): AnyFunction {
  if (typeof target === "function" && (!hasProvisioned() || isOwn(target))) {
    return target as AnyFunction;
  }
  return (...args) => call(target, self, start, end, module, ...args);
}

/** What is called and on what: read before the arguments are evaluated, as the language does. */
interface Method {
  readonly object: unknown;
  readonly target: unknown;
}

export function method(object: unknown, key: PropertyKey): Method {
  return { object, target: (object as Readonly<Record<PropertyKey, unknown>>)[key] };
}

export function callMethod(
  { object, target }: Method,
  start: number,
  end: number,
  module: ModuleReference,
  ...args: readonly unknown[]
): unknown {
  return call(target, object, start, end, module, ...args);
}

export function callAt(
  target: AnyFunction,
  self: unknown,
  args: readonly unknown[],
  place: Place,
): unknown {
  if (isProvisioned(target)) return refuseCall(target, self, place);
  if (isOwn(target)) return Reflect.apply(target, self, args);
  if (target === Function.prototype.call && typeof self === "function") {
    return callAt(self as AnyFunction, args[0], args.slice(1), place);
  }
  if (isApply(target, self, args)) {
    return callAt(self as AnyFunction, args[0], [...(args[1] as Iterable<unknown>)], place);
  }
  if (target === Reflect.apply && typeof args[0] === "function" && Array.isArray(args[2])) {
    return callAt(args[0] as AnyFunction, args[1], args[2], place);
  }
  if (target === Function.prototype.bind && typeof self === "function") {
    const bound = Reflect.apply(target, self, args) as object;
    if (isOwn(self)) acceptProvisioned(bound);
    return bound;
  }
  const result = (builtInRules.get(target) ?? foreign)({ target, self, args, place });
  if (target === withResolvers) acceptResolvers(result as PromiseWithResolvers<unknown>);
  return result;
}

// oxlint-disable-next-line typescript/unbound-method -- it is only compared with
const { withResolvers } = Promise;

function acceptResolvers({ resolve, reject }: PromiseWithResolvers<unknown>): void {
  acceptProvisioned(resolve, reject);
}

function isApply(target: AnyFunction, self: unknown, args: readonly unknown[]): boolean {
  return (
    target === Function.prototype.apply && typeof self === "function" && Array.isArray(args[1])
  );
}

/** A method of an unknown value is itself unknown; the message names the value, not the method. */
function refuseCall(target: unknown, self: unknown, place: Place): never {
  if (!isProvisioned(self)) return refuse(target, "is called", place);
  const deferred = deferredOf(target);
  const name = deferred?.kind === "property" ? deferred.origin.path.at(-1) : undefined;
  const key = deferred?.kind === "member" ? deferred.key : name;
  return refuse(self, `has its ${key ?? "method"}() called`, place);
}

function refuseNonFunction(self: unknown, place: Place): never {
  if (isProvisioned(self)) refuse(self, "has a method called", place);
  // The engine shows arguments of calls inside the expression as dots.
  const text = textOfPlace(place).replaceAll(/\([^()]+\)/g, "(...)");
  throw new TypeError(`${text} is not a function`);
}

/** A function by which a tagged template calls its tag. */
export function tag(
  target: unknown,
  self: unknown,
  start: number,
  end: number,
  module: ModuleReference,
): AnyFunction {
  return (...args) => call(target, self, start, end, module, ...args);
}

export function tagMethod(
  { object, target }: Method,
  start: number,
  end: number,
  module: ModuleReference,
): AnyFunction {
  return tag(target, object, start, end, module);
}
