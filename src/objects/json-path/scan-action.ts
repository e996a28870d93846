import { JsonPathSyntaxError } from "./json-path-syntax-error.ts";

/** The offset of the brace that closes an action; braces in quotes and brackets do not count. */
export function endOfAction(text: string, start: number): number {
  for (let position = start; position < text.length;) {
    const char = text.charAt(position);
    if (char === "}") return position;
    if (char === "\n" || char === "\r") break;
    if (char === "[") position = endOfBrackets(text, position);
    else if (char === '"' || char === "'") position = endOfQuote(text, position);
    else position += char === "\\" ? 2 : 1;
  }
  throw new JsonPathSyntaxError("a brace is not closed", start);
}

/** The offset after the quote that closes the one at `start`; a backslash guards the next character. */
export function endOfQuote(text: string, start: number): number {
  const quote = text.charAt(start);
  for (let position = start + 1; position < text.length; position++) {
    const char = text.charAt(position);
    if (char === "\n") break;
    if (char === "\\") position++;
    else if (char === quote) return position + 1;
  }
  throw new JsonPathSyntaxError("a quote is not closed", start);
}

/** The offset after the bracket that closes the one at `start`. */
export function endOfBrackets(text: string, start: number): number {
  if (text.startsWith("[?(", start)) return endOfFilter(text, start);
  for (let position = start + 1; position < text.length;) {
    const char = text.charAt(position);
    if (char === "\n") break;
    if (char === "]") return position + 1;
    position = char === '"' || char === "'" ? endOfQuote(text, position) : position + 1;
  }
  throw new JsonPathSyntaxError("a bracket is not closed", start);
}

function endOfFilter(text: string, start: number): number {
  for (let position = start + 3; position < text.length;) {
    const char = text.charAt(position);
    if (char === "\n") break;
    if (char === ")") {
      if (text.charAt(position + 1) === "]") return position + 2;
      throw new JsonPathSyntaxError("after the filter's parenthesis a ] is expected", position);
    }
    if (char === '"' || char === "'") position = endOfQuote(text, position);
    else if (char === "[") position = endOfBrackets(text, position);
    else position++;
  }
  throw new JsonPathSyntaxError("a filter is not closed", start);
}
