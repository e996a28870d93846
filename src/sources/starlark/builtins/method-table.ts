import { StarlarkBuiltin, type BuiltinCode } from "../values/callable.ts";

/** Names a set of builtins, functions or methods, by the keys of an object. */
export function builtinTable(
  code: Readonly<Record<string, BuiltinCode>>,
): ReadonlyMap<string, StarlarkBuiltin> {
  return new Map(Object.entries(code).map(([name, run]) => [name, new StarlarkBuiltin(name, run)]));
}
