import {
  type JsonPathFilter,
  jsonPathOperators,
  type JsonPathSlice,
  type JsonPathStep,
  type JsonPathSteps,
} from "./json-path.ts";
import { JsonPathSyntaxError } from "./json-path-syntax-error.ts";
import { endOfBrackets, endOfQuote } from "./scan-action.ts";
import { unquoteStep } from "./unquote.ts";

const deepestBrackets = 20;

/** Parses what stands between braces; `offset` is where that starts, for messages. */
export function parseSteps(text: string, offset = 0, depth = 0): JsonPathSteps {
  if (depth > deepestBrackets)
    throw new JsonPathSyntaxError("brackets are nested too deep", offset);
  const steps: JsonPathStep[] = [];
  let position = 0;
  while (position < text.length) {
    const char = text.charAt(position);
    if (char === " " || char === "@" || char === "$") {
      position++;
    } else if (text.startsWith("..", position)) {
      if (steps.at(-1)?.kind === "recursive") {
        throw new JsonPathSyntaxError("`..` stands twice in a row", offset + position);
      }
      steps.push({ kind: "recursive" });
      position += 2;
      if (wordStart.test(text.charAt(position)) || text.charAt(position) === "*") {
        position = readField(text, position, steps);
      }
    } else if (char === ".") {
      position = readField(text, position + 1, steps);
    } else if (char === "[") {
      const end = endOfBrackets(text, position);
      steps.push(...parseBrackets(text.slice(position, end), offset + position, depth));
      position = end;
    } else if (char === '"' || char === "'") {
      const end = endOfQuote(text, position);
      steps.push({
        kind: "literal",
        value: unquoteStep(text.slice(position, end), offset + position),
      });
      position = end;
    } else {
      position = readWord(text, position, offset, steps);
    }
  }
  return steps;
}

const wordStart = /[\p{L}\p{Nd}_]/u;
const fieldEnd = /[\s.,[\]$@{}]/;

function readField(text: string, start: number, steps: JsonPathStep[]): number {
  let position = start;
  while (position < text.length && !fieldEnd.test(text.charAt(position))) {
    position += text.charAt(position) === "\\" ? 2 : 1;
  }
  const name = text.slice(start, position);
  // A backslash keeps a dot inside of a name.
  steps.push(
    name === "*" ? { kind: "wildcard" } : { kind: "field", name: name.replaceAll("\\", "") },
  );
  return Math.min(position, text.length);
}

function readWord(text: string, start: number, offset: number, steps: JsonPathStep[]): number {
  const rest = text.slice(start);
  const number = /^[-+]?[0-9.]*/.exec(rest)?.[0] ?? "";
  if (/^[-+]?(?:\d+\.?\d*|\.\d+)$/.test(number)) {
    steps.push({ kind: "literal", value: Number(number) });
    return start + number.length;
  }
  const word = /^[\p{L}\p{Nd}_][^\s.,[\]$@{}]*/u.exec(rest)?.[0];
  if (word === "true" || word === "false") {
    steps.push({ kind: "literal", value: word === "true" });
    return start + word.length;
  }
  if (/^(?:&&|\|\|)/.test(rest)) {
    const hint = "Write two filters after each other for &&.";
    throw new JsonPathSyntaxError("kubectl's JSON path has no && or ||", offset + start, hint);
  }
  const what = word === undefined ? `the character ${rest.charAt(0)}` : `the word "${word}"`;
  throw new JsonPathSyntaxError(`${what} means nothing there`, offset + start);
}

function parseBrackets(text: string, offset: number, depth: number): JsonPathSteps {
  if (text.startsWith("[?(")) {
    return [{ kind: "filter", filter: parseFilter(text.slice(3, -2), offset + 3, depth + 1) }];
  }
  const inner = text.slice(1, -1);
  const branches = splitUnion(inner);
  if (branches.length > 1) {
    const parsed = branches.map((branch) => parseBrackets(`[${branch.trim()}]`, offset, depth + 1));
    return [{ kind: "union", branches: parsed }];
  }
  if (inner === "*") return [{ kind: "slice", slice: { single: false } }];
  // kubectl reads a quoted key like a field after a dot, so a dot in it needs a backslash.
  const key = /^'([^']*)'$/.exec(inner)?.[1];
  if (key !== undefined) return parseSteps(`.${key}`, offset, depth + 1);
  if (/^".*"$/.test(inner)) return [{ kind: "field", name: unquoteStep(inner, offset) }];
  return [{ kind: "slice", slice: parseSlice(inner, offset) }];
}

function splitUnion(text: string): readonly string[] {
  const branches: string[] = [];
  let start = 0;
  for (let position = 0; position < text.length;) {
    const char = text.charAt(position);
    if (char === '"' || char === "'") {
      position = endOfQuote(text, position);
      continue;
    }
    if (char === ",") {
      branches.push(text.slice(start, position));
      start = position + 1;
    }
    position++;
  }
  return [...branches, text.slice(start)];
}

function parseSlice(text: string, offset: number): JsonPathSlice {
  const match = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/.exec(text);
  if (match === null) throw new JsonPathSyntaxError(`[${text}] is no index`, offset);
  const [, start = "", end, step] = match;
  const number = (part: string | undefined): number | undefined => {
    if (part === undefined || part === "" || part === ":") return undefined;
    const value = Number(part.replace(":", ""));
    if (Number.isSafeInteger(value)) return value + 0;
    throw new JsonPathSyntaxError(`${part} is no index`, offset);
  };
  return { single: end === undefined, start: number(start), end: number(end), step: number(step) };
}

function parseFilter(text: string, offset: number, depth: number): JsonPathFilter {
  const match = /^([^!<>=]+)([!<>=]+)(.+)$/.exec(text);
  if (match === null) return { kind: "exists", left: parseSteps(text, offset, depth) };
  const [, left = "", written = "", right = ""] = match;
  const operator = jsonPathOperators.find((known) => known === written);
  if (operator === undefined) {
    throw new JsonPathSyntaxError(`${written} is no comparison`, offset + left.length);
  }
  return {
    kind: "compare",
    left: parseSteps(left, offset, depth),
    operator,
    right: parseSteps(right, offset + left.length + written.length, depth),
  };
}
