import { inspect } from "node:util";
import { isProvisioned } from "../deferred.ts";
import { findProvisioned } from "../holds-provisioned.ts";
import { type Place, shortTextAt } from "../place.ts";
import { atPlace } from "../reject.ts";
import { refuse } from "./check.ts";
import { isOwn } from "./own-functions.ts";

export type AnyFunction = (...args: readonly unknown[]) => unknown;

/** A call under way to a function that is not rewritten. */
export interface Call {
  readonly target: AnyFunction;
  readonly self: unknown;
  readonly args: readonly unknown[];
  readonly place: Place;
}

/** How calls of one function are done when provisioned values are about. */
export type CallRule = (call: Call) => unknown;

/** Nothing is known of the function: it may decide on whatever it is given. */
export const foreign: CallRule = (call) => {
  refuseHeld(call, [call.self, ...call.args]);
  return run(call);
};

/** The function moves values and looks into none. */
export const moving: CallRule = (call) => run(withOwnCallbacks(call));

/** The function looks at its arguments, but not into what they hold. */
export const looking: CallRule = (call) => {
  refuseDirect(call, call.args);
  return run(withOwnCallbacks(call));
};

/** The function looks at the first arguments, such as a key or an index, and moves the others. */
export function lookingAtFirst(count: number): CallRule {
  return (call) => {
    refuseDirect(call, call.args.slice(0, count));
    return run(withOwnCallbacks(call));
  };
}

/** The function looks at its arguments and at the items of the list that it is called on. */
export const comparing: CallRule = (call) => {
  refuseDirect(call, call.args);
  if (Array.isArray(call.self)) refuseDirect(call, call.self);
  return run(call);
};

/** The function decides by what its callback gives; without one it compares the items. */
export const deciding: CallRule = (call) => {
  const at = call.args.findIndex((value) => typeof value === "function");
  const callback = call.args[at];
  if (typeof callback !== "function") return comparing(call);
  if (isProvisioned(callback)) return refuseArgument(call, callback);
  const asking = withOwnCallback(callback as AnyFunction, call.place);
  const decide = function (this: unknown, ...values: readonly unknown[]): unknown {
    const result = Reflect.apply(asking, this, values);
    if (isProvisioned(result)) {
      refuse(result, `decides what ${nameOf(call)}() does`, call.place);
    }
    return result;
  };
  return run({ ...call, args: call.args.with(at, decide) });
};

/** The function takes lists apart that lie in the list that it is called on, to a depth. */
export const flattening: CallRule = (call) => {
  const [depth = 1] = call.args;
  refuseDirect(call, call.args);
  const inside = (list: readonly unknown[], left: number): void => {
    refuseDirect(call, list);
    if (left > 1) for (const item of list) if (Array.isArray(item)) inside(item, left - 1);
  };
  if (Array.isArray(call.self)) inside(call.self, Number(depth));
  return run(call);
};

/** The function writes data as text; what is written may come from functions of the data, too. */
export const writing: CallRule = (call) => {
  const [value, replacer, ...others] = call.args;
  refuseHeld(call, call.args);
  if (Array.isArray(replacer)) return run(call);
  const ask = function (this: unknown, key: unknown, inner: unknown): unknown {
    const written: unknown =
      typeof replacer === "function" ? Reflect.apply(replacer, this, [key, inner]) : inner;
    return isProvisioned(written) ? refuseArgument(call, written) : written;
  };
  return run({ ...call, args: [value, ask, ...others] });
};

/** The function shows values to people, who may see that one is not known. */
export const printing: CallRule = (call) =>
  run({ ...call, args: call.args.map((value) => (isProvisioned(value) ? inspect(value) : value)) });

function refuseHeld(call: Call, values: readonly unknown[]): void {
  for (const value of values) {
    const found = findProvisioned(value);
    if (found !== undefined) refuseArgument(call, found);
  }
}

function refuseDirect(call: Call, values: readonly unknown[]): void {
  for (const value of values) if (isProvisioned(value)) refuseArgument(call, value);
}

export function refuseArgument(call: Call, found: unknown): never {
  const callee = shortTextAt(call.place) ?? nameOf(call);
  return refuse(
    found,
    `is passed to ${nameOf(call)}(), which may decide on it`,
    call.place,
    `call it when the value is known: output(value).map((value) => ${callee}(value))`,
  );
}

function run({ target, self, args, place }: Call): unknown {
  return atPlace(place, () => Reflect.apply(target, self, args));
}

/** Callbacks that are not rewritten get their arguments checked like any call. */
function withOwnCallbacks(call: Call): Call {
  if (!call.args.some((value) => typeof value === "function" && !isProvisioned(value))) return call;
  const args = call.args.map((value) =>
    typeof value === "function" && !isProvisioned(value)
      ? withOwnCallback(value as AnyFunction, call.place)
      : value,
  );
  return { ...call, args };
}

function withOwnCallback(callback: AnyFunction, place: Place): AnyFunction {
  if (isOwn(callback)) return callback;
  return function (this: unknown, ...args: readonly unknown[]): unknown {
    return foreign({ target: callback, self: this, args, place });
  };
}

function nameOf({ target, place }: Call): string {
  return target.name === "" ? (shortTextAt(place) ?? "a function") : target.name;
}
