/**
 * The functions that rewritten modules call. They are found through one global symbol, by a module
 * that is imported first: so they are there even for functions that run before their own module.
 */
import { sourceByKey } from "../place.ts";
import { call, callMethod, guard, method, tag, tagMethod } from "./call.ts";
import { check, checkIterable } from "./check.ts";
import { constructAt, superArguments } from "./construct-at.ts";
import { defineClass } from "./define-class.ts";
import { optional, optionalMethod } from "./optional.ts";
import { showOriginalTexts } from "./own-functions.ts";
import { first, last, memberReference, reference } from "./reference.ts";
import { add, text, textPart } from "./text.ts";

const runtime = {
  add,
  apply: Reflect.apply,
  call,
  callMethod,
  check,
  checkIterable,
  construct: constructAt,
  defineClass,
  first,
  guard,
  last,
  memberReference,
  method,
  optional,
  optionalMethod,
  reference,
  superArguments,
  tag,
  tagMethod,
  text,
  textPart,
} as const;
export type RuntimeFunction = keyof typeof runtime;

/** The expression by which code reaches the functions. */
export const runtimeExpression = 'globalThis[Symbol.for("keelson.runtime")]';

const symbol = Symbol.for("keelson.runtime");

/** Makes the functions available to rewritten modules of this thread. */
export function installRuntime(): void {
  if (Reflect.get(globalThis, symbol) === runtime) return;
  Reflect.set(globalThis, symbol, runtime);
  showOriginalTexts(sourceByKey);
}

const source = `export const { ${Object.keys(runtime).join(", ")} } = ${runtimeExpression};`;

/** What rewritten modules import. */
export const runtimeModule = `data:text/javascript,${encodeURIComponent(source)}`;
