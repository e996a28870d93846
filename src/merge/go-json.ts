import { type JsonValue, stringifyJson } from "../json/index.ts";

// Go escapes these in JSON strings, and some of its JSON ends up in fields that are compared.
const escaped = /[<>&\u2028\u2029]/g;
const escapedInPaths = /[<>&\u2028\u2029]|\\[bf]/g;

/** A value as JSON in the very characters that Go's own encoder writes, its keys as they are. */
export function goJson(value: JsonValue): string {
  return escapeAll(stringifyJson(value), escaped);
}

/** The same for steps of paths, which the server writes with another encoder. */
export function goPathJson(value: JsonValue): string {
  // Keys are nearly always strings or numbers, and there are very many of them.
  const text = typeof value === "bigint" ? String(value) : JSON.stringify(value);
  return escapeAll(text, escapedInPaths);
}

function escapeAll(text: string, pattern: RegExp): string {
  return text.search(pattern) === -1 ? text : text.replaceAll(pattern, escapeCharacter);
}

function escapeCharacter(match: string): string {
  if (match === "\\b") return "\\u0008";
  if (match === "\\f") return "\\u000c";
  return `\\u${match.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
