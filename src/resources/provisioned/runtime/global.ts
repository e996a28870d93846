/**
 * The functions that rewritten modules call. They are found through one global symbol, by a module
 * that is imported first: so they are there even for functions that run before their own module.
 */
import { check } from "./check.ts";
import { constructAt } from "./construct-at.ts";
import { defineClass } from "./define-class.ts";
import { add, text, textPart } from "./text.ts";

const runtimeSymbol = Symbol.for("keelson.runtime");

const runtime = { check, add, text, textPart, construct: constructAt, defineClass } as const;
export type RuntimeFunction = keyof typeof runtime;
export const runtimeFunctions = Object.keys(runtime) as readonly RuntimeFunction[];

/** Makes the functions available to rewritten modules of this thread. */
export function installRuntime(): void {
  Reflect.set(globalThis, runtimeSymbol, runtime);
}

const source = `export const { ${runtimeFunctions.join(", ")} } = globalThis[Symbol.for("keelson.runtime")];`;

/** What rewritten modules import. */
export const runtimeModule = `data:text/javascript,${encodeURIComponent(source)}`;
