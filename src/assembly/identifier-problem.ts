import type { Diagnostic, SourceRange } from "../diagnostics/index.ts";
import type { IdentifierProblem } from "./parse-identifier.ts";

const mostBefore = 60;
const mostAfter = 20;

/** Says what is wrong with an identifier, and shows where. */
export function identifierProblem(
  text: string,
  { message, offset }: IdentifierProblem,
  source: SourceRange | undefined,
): Diagnostic {
  const start = Math.max(0, offset - mostBefore);
  // One character stands for each, so that the mark below stands under the right one.
  const shown = text.slice(start, offset + mostAfter).replaceAll(/\p{Cc}/gu, "·");
  return {
    code: "assembly.invalid-identifier",
    severity: "error",
    summary: `"${shown}" is no identifier of an object: ${message}`,
    detail: `${shown}\n${" ".repeat(offset - start)}^`,
    hint: "Write name:kind:namespace:group, leaving off what is not needed, and \\: for a colon in a name.",
    source,
  };
}
