import { excerptOf, fail } from "../../../diagnostics/index.ts";
import type { SourcePosition } from "../../../diagnostics/index.ts";

/** What the parser says of a text that it cannot read. */
export interface ParseProblem {
  readonly message: string;
  readonly labels: readonly { readonly start: number; readonly end: number }[];
  readonly helpMessage: string | null;
}

/** Refuses a module that is not valid, at the place. */
export function failOnSyntax(problem: ParseProblem, file: string, source: string): never {
  const [label] = problem.labels;
  const start = positionOf(source, label?.start ?? 0);
  return fail({
    code: "program.syntax",
    summary: `${file} cannot be read: ${problem.message}`,
    ...(problem.helpMessage === null ? {} : { hint: problem.helpMessage }),
    source: {
      file,
      start,
      end: positionOf(source, label?.end ?? 0),
      excerpt: excerptOf(source, start.line),
    },
  });
}

function positionOf(source: string, offset: number): SourcePosition {
  const before = source.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
