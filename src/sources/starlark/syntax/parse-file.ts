import { parseStatements } from "./parse-statement.ts";
import type { SyntaxTree } from "./syntax-tree.ts";
import { TokenReader } from "./token-reader.ts";

/** Reads a whole file; the first thing that is no Starlark is thrown as a syntax error. */
export function parseFile(file: string, text: string): SyntaxTree {
  return { file, statements: parseStatements(new TokenReader(file, text)) };
}
