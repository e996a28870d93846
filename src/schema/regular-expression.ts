import { createRequire } from "node:module";
import type { RE2JS } from "re2js";

/** A pattern in Go's syntax, which takes time linear in the text whatever the pattern. */
export interface RegularExpression {
  readonly test: (text: string) => boolean;
  /** The text of every match, at most so many unless the limit is negative. */
  readonly findAll: (text: string, limit: number) => readonly string[];
}

// Patterns come from schemas and rules, of which there are few; the bound is for odd programs.
const compiled = new Map<string, RegularExpression | string>();
const compiledLimit = 1000;

/** The pattern ready to use, or why it is none. */
export function compileRegularExpression(pattern: string): RegularExpression | string {
  let found = compiled.get(pattern);
  if (found === undefined) {
    if (compiled.size >= compiledLimit) compiled.clear();
    found = compile(pattern);
    compiled.set(pattern, found);
  }
  return found;
}

let engine: typeof RE2JS | undefined;

/** Loaded with the first pattern, because most programs meet none. */
function loadEngine(): typeof RE2JS {
  const require = createRequire(import.meta.url);
  engine ??= (require("re2js") as { readonly RE2JS: typeof RE2JS }).RE2JS;
  return engine;
}

function compile(pattern: string): RegularExpression | string {
  try {
    const expression = loadEngine().compile(pattern);
    return {
      test: (text) => expression.test(text),
      findAll: (text, limit) => {
        const matcher = expression.matcher(text);
        const matches: string[] = [];
        while (matches.length !== limit && matcher.find()) matches.push(matcher.group() ?? "");
        return matches;
      },
    };
  } catch (error) {
    return error instanceof Error ? error.message : "error parsing regexp";
  }
}
