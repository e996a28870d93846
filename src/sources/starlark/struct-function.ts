import { decodeText } from "./byte-text.ts";
import { raise } from "./evaluation-error.ts";
import { hostFunction } from "./host-function.ts";
import { StarlarkStruct } from "./values/struct.ts";

/** The builtin `struct(name = value, …)`. It is no part of the language: hosts add it. */
export const structFunction = hostFunction("struct", ({ args, keywords }) => {
  if (args.length > 0) raise("struct: unexpected positional arguments");
  return new StarlarkStruct(keywords.map(({ name, value }) => [decodeText(name), value]));
});
