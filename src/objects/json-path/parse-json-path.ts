import type { Diagnostic } from "../../diagnostics/index.ts";
import type { JsonPath, JsonPathPart } from "./json-path.ts";
import { JsonPathSyntaxError } from "./json-path-syntax-error.ts";
import { parseSteps } from "./parse-steps.ts";
import { endOfAction } from "./scan-action.ts";

export interface ParsedJsonPath {
  readonly value: JsonPath | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

const longestPath = 10_000;
const deepestRange = 20;

/**
 * Parses a path or template in kubectl's dialect. Braces, and the dot at the start, may be left out
 * where kubectl lets them be: `.a.b`, `a.b` and `{a.b}` are all `{.a.b}`.
 */
export function parseJsonPath(text: string): ParsedJsonPath {
  try {
    if (text.length > longestPath) {
      throw new JsonPathSyntaxError(`it is longer than ${longestPath} characters`, longestPath);
    }
    if (text === "") throw new JsonPathSyntaxError("it is empty", 0);
    const reader = new TemplateReader(relaxed(text));
    return { value: { text, parts: reader.read() }, diagnostics: [] };
  } catch (error) {
    if (!(error instanceof JsonPathSyntaxError)) throw error;
    return { value: undefined, diagnostics: [describe(text, error)] };
  }
}

function relaxed(text: string): string {
  const bare = /^\{?([^{}]+)\}?$/.exec(text)?.[1];
  if (bare === undefined || text.startsWith("{") !== text.endsWith("}")) return text;
  if (/^[\s$@[.'"]/.test(bare)) return text.startsWith("{") ? text : `{${bare}}`;
  // These words mean something of their own inside of braces.
  if (text.startsWith("{") && /^(?:range|end|true|false|[-+]?\d)/.test(bare)) return text;
  return `{.${bare}}`;
}

function describe(text: string, error: JsonPathSyntaxError): Diagnostic {
  return {
    code: "objects.json-path-syntax",
    severity: "error",
    summary: `the JSON path ${text.slice(0, 200)} cannot be parsed: ${error.message}`,
    hint: error.hint ?? "A path looks like {.spec.containers[?(@.name=='web')].image}.",
  };
}

/** Reads text, actions and ranges; a range reaches to its end, or to the end of the template. */
class TemplateReader {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): readonly JsonPathPart[] {
    const parts = this.#readParts(0);
    if (this.#position < this.#text.length) {
      throw new JsonPathSyntaxError("{end} stands outside of any range", this.#position);
    }
    return parts;
  }

  /** Stops after the `{end}` of the range it is in. */
  #readParts(depth: number): readonly JsonPathPart[] {
    const parts: JsonPathPart[] = [];
    while (this.#position < this.#text.length) {
      const brace = this.#text.indexOf("{", this.#position);
      const textEnd = brace === -1 ? this.#text.length : brace;
      if (textEnd > this.#position) {
        parts.push({ kind: "text", text: this.#text.slice(this.#position, textEnd) });
      }
      this.#position = textEnd;
      if (brace === -1) break;
      const end = endOfAction(this.#text, brace + 1);
      const action = this.#text.slice(brace + 1, end);
      if (/^\s*end\s*$/.test(action)) {
        if (depth > 0) this.#position = end + 1;
        return parts;
      }
      this.#position = end + 1;
      parts.push(this.#readAction(action, brace + 1, depth));
    }
    return parts;
  }

  #readAction(action: string, offset: number, depth: number): JsonPathPart {
    const range = /^\s*range(?=[\s.[@$]|$)/.exec(action);
    if (range === null) return { kind: "action", steps: parseSteps(action, offset) };
    if (depth >= deepestRange) throw new JsonPathSyntaxError("ranges are nested too deep", offset);
    const length = range[0].length;
    const steps = parseSteps(action.slice(length), offset + length);
    return { kind: "range", steps, body: this.#readParts(depth + 1) };
  }
}
