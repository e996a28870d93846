import { parseEvents as parseYaml, YAMLException } from "js-yaml";
import type { Event } from "js-yaml";
import { scanJson } from "./scan-json.ts";
import type { TextProblem } from "./text-problem.ts";

/** Deeper than any schema nests, and shallow enough for every recursion over an object. */
export const deepestNesting = 500;

export type ParsedEvents =
  | { readonly kind: "events"; readonly events: readonly Event[] }
  | { readonly kind: "problem"; readonly problem: TextProblem };

/**
 * Turns one document into parser events. What starts like JSON is tried as JSON first, because JSON
 * may be indented with tabs and its values may follow each other without a marker.
 */
export function parseEvents(text: string, { json = false } = {}): ParsedEvents {
  if (text.length > lengthToCount && countSeparators(text) > mostSeparators) {
    const message = `the document has more than ${mostSeparators} values`;
    return { kind: "problem", problem: { code: "objects.input-too-large", offset: 0, message } };
  }
  const start = startOfJson(text);
  if (start === undefined) {
    if (!json) return parseAsYaml(text);
    return isBlank(text) ? { kind: "events", events: [] } : scanJson(text, 0, deepestNesting);
  }
  const asJson = scanJson(text, start, deepestNesting);
  if (asJson.kind === "events" || json) return asJson;
  const asYaml = parseAsYaml(text);
  if (asYaml.kind === "events" || !/^\{\s*"/.test(text.slice(start))) return asYaml;
  return asJson;
}

// The parser keeps an event per value, many times larger than the value. What separates values is
// counted first, so that no document makes it take more than some hundred megabytes.
const lengthToCount = 4 * 1024 * 1024;
const mostSeparators = 2_000_000;

/** About how many values a text holds, without parsing it. */
export function countSeparators(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    // A line feed, comma, colon, bracket or brace.
    if (code === 10 || code === 44 || code === 58 || code === 91 || code === 123) count++;
  }
  return count;
}

// A marker line may stand before the value.
const jsonStart = /^(?:---[ \t]*\r?\n)?\s*(?=[{])/;

function startOfJson(text: string): number | undefined {
  const match = jsonStart.exec(text);
  return match === null ? undefined : match[0].length;
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}

function parseAsYaml(text: string): ParsedEvents {
  try {
    return { kind: "events", events: parseYaml(text, { maxDepth: deepestNesting }) };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    return { kind: "problem", problem: describe(text, error) };
  }
}

function describe(text: string, error: YAMLException): TextProblem {
  const offset = Math.min(error.mark?.position ?? 0, text.length);
  const tab = tabOfIndentation(text, offset);
  if (tab !== undefined) {
    return {
      code: "objects.yaml-tab",
      offset: tab,
      message: "a tab character stands in the indentation",
      hint: "Indent with spaces; YAML does not allow tabs there.",
    };
  }
  // The parser has no error codes, and this one limit is ours.
  if (error.reason.startsWith("nesting exceeded")) {
    return {
      code: "objects.nested-too-deep",
      offset,
      message: `lists and mappings are nested deeper than ${deepestNesting} levels`,
    };
  }
  // Some reasons end in a name out of the text, after a colon or in quotes.
  const [message = ""] = error.reason.split(/: | "/, 1);
  const quote = error.reason.slice(message.length).replaceAll(/^[: "]+|"$/g, "");
  return { code: "objects.yaml-syntax", offset, message, quote: quote === "" ? undefined : quote };
}

/** A tab in the white space that starts the line of the error. */
function tabOfIndentation(text: string, offset: number): number | undefined {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const indentation = /^ *\t/.exec(text.slice(start, start + longestIndentation));
  return indentation === null ? undefined : start + indentation[0].length - 1;
}

const longestIndentation = 2000;
