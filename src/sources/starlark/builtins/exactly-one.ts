import { raise } from "../evaluation-error.ts";
import type { KeywordArguments } from "../values/callable.ts";
import type { Value } from "../values/value.ts";

/** The argument of a builtin that takes one and counts them in its own words. */
export function exactlyOne(
  builtin: string,
  args: readonly Value[],
  keywords: KeywordArguments,
  wanted: string,
): Value {
  if (keywords.length > 0) raise(`${builtin} does not accept keyword arguments`);
  const [only] = args;
  if (args.length !== 1 || only === undefined) {
    raise(`${builtin}: got ${args.length} arguments, want ${wanted}`);
  }
  return only;
}
