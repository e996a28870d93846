import { asByteText, type ByteText } from "../byte-text.ts";
import { raise } from "../evaluation-error.ts";

/** Lays JSON out over lines; empty lists and objects stay on theirs. */
export function indentJson(json: ByteText, prefix: ByteText, indent: ByteText): ByteText {
  const problem = syntaxProblem(json);
  if (problem !== undefined) raise(problem);
  let result = "";
  let depth = 0;
  const newline = (): string => `\n${prefix}${indent.repeat(depth)}`;
  const tokens = json.match(/"(?:\\.|[^"\\])*"|[^\s"[\]{}:,]+|[[\]{}:,]/gs) ?? [];
  for (const [index, token] of tokens.entries()) {
    const previous = tokens[index - 1];
    const isClosing = token === "]" || token === "}";
    const isEmpty = isClosing && (previous === "[" || previous === "{");
    if (isClosing) depth--;
    const startsLine = previous === "[" || previous === "{" || previous === ",";
    if (isClosing ? !isEmpty : startsLine) result += newline();
    result += token === ":" ? ": " : token;
    if (token === "[" || token === "{") depth++;
  }
  return asByteText(result);
}

function syntaxProblem(json: string): string | undefined {
  try {
    JSON.parse(json);
    return undefined;
  } catch {
    return json.trim() === "" ? "unexpected end of JSON input" : "invalid JSON";
  }
}
