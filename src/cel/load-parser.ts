import { createRequire } from "node:module";
import type * as CelJs from "@marcbachmann/cel-js";

type Parser = (text: string) => CelJs.ParseResult;

let parser: Parser | undefined;

/**
 * The parser, loaded when the first expression appears: most programs have none, and loading it
 * takes longer than opening a whole sandbox.
 */
export function loadParser(): Parser {
  if (parser !== undefined) return parser;
  const require = createRequire(import.meta.url);
  const { Environment } = require("@marcbachmann/cel-js") as typeof CelJs;
  const environment = new Environment({
    enableOptionalTypes: true,
    limits: {
      maxAstNodes: 10_000,
      maxDepth: 150,
      maxListElements: 5_000,
      maxMapEntries: 5_000,
      maxCallArguments: 32,
    },
  });
  parser = (text) => environment.parse(text);
  return parser;
}
