import { stripVTControlCharacters } from "node:util";
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
  // Of two places that contradict each other, the later one is more likely wrong.
  const label = problem.labels.at(-1);
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

/** Refuses a module that was read and rewritten, but whose types cannot be taken out. */
export function failOnTransform({ message }: Error, file: string): never {
  const [told = ""] = stripVTControlCharacters(message).split("\n");
  return fail({ code: "program.syntax", summary: `${file} cannot be read: ${told}` });
}

/** Refuses syntax that no engine runs yet, and that would have to be compiled. */
export function failOnUnsupported(
  what: string,
  range: { readonly start: number; readonly end: number },
  file: string,
  source: string,
): never {
  const message = `${what} are not part of JavaScript yet`;
  const helpMessage = "Programs run without a build step: write it without them";
  return failOnSyntax({ message, labels: [range], helpMessage }, file, source);
}

function positionOf(source: string, offset: number): SourcePosition {
  const before = source.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
