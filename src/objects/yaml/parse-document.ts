import { type BuiltValues, buildValues } from "./build-values.ts";
import { parseEvents } from "./parse-events.ts";
import { readPlainDocument } from "./read-plain-document.ts";
import type { TextProblem } from "./text-problem.ts";

export type ParsedDocument =
  | ({ readonly kind: "values" } & BuiltValues)
  /** No values could be made out at all. */
  | { readonly kind: "problem"; readonly problem: TextProblem };

/** The values of one document, or of several that follow each other in JSON. */
export function parseDocument(text: string, { json = false } = {}): ParsedDocument {
  const plain = json ? undefined : readPlainDocument(text);
  if (plain !== undefined)
    return { kind: "values", values: [plain], problems: [], aliasedValues: 0 };
  const parsed = parseEvents(text, { json });
  return parsed.kind === "problem"
    ? parsed
    : { kind: "values", ...buildValues(text, parsed.events) };
}
