import { universe } from "./builtins/universe.ts";
import { isStackOverflow } from "./evaluation-error.ts";
import { type SourceTexts, syntaxFailure } from "./run-failure.ts";
import type { Resolution } from "./syntax/binding.ts";
import { parseFile } from "./syntax/parse-file.ts";
import { resolveFile } from "./syntax/resolve-file.ts";
import { StarlarkSyntaxError } from "./syntax/syntax-error.ts";
import type { SyntaxTree } from "./syntax/syntax-tree.ts";
import type { Value } from "./values/value.ts";

/** Parses a file and finds what its names mean; nothing of it is run. Throws what is wrong with it. */
export function analyse(
  { path, text }: { readonly path: string; readonly text: string },
  predeclared: ReadonlyMap<string, Value>,
  texts: SourceTexts,
): { readonly tree: SyntaxTree; readonly resolution: Resolution } {
  try {
    const tree = parseFile(path, text);
    const names = { predeclared, universal: universe };
    const { resolution, errors } = resolveFile(tree, names);
    if (errors.length === 0) return { tree, resolution };
    throw syntaxFailure("starlark.invalid-program", errors, texts);
  } catch (error) {
    const problem = isStackOverflow(error)
      ? new StarlarkSyntaxError({ file: path, line: 1, column: 1 }, "excessive nesting")
      : error;
    if (!(problem instanceof StarlarkSyntaxError)) throw error;
    throw syntaxFailure("starlark.syntax", [problem], texts);
  }
}
