import { decodeText } from "./byte-text.ts";
import { raise } from "./evaluation-error.ts";
import { hostFunction } from "./host-function.ts";
import { StarlarkModule, StarlarkStruct } from "./values/struct.ts";

/** The builtin `struct(name = value, …)`. It is no part of the language: hosts add it. */
export const structFunction = hostFunction("struct", ({ args, keywords }) => {
  if (args.length > 0) raise("struct: unexpected positional arguments");
  return new StarlarkStruct(keywords.map(({ name, value }) => [decodeText(name), value]));
});

/** The builtin `module(name, member = value, …)`: members under a name. Hosts add it. */
export const moduleFunction = hostFunction("module", ({ args, keywords }) => {
  const [name, ...more] = args;
  if (typeof name !== "string" || more.length > 0)
    raise("module: want one positional argument, a name");
  const members = keywords.map(({ name: member, value }) => [decodeText(member), value] as const);
  return new StarlarkModule(decodeText(name), Object.fromEntries(members));
});
