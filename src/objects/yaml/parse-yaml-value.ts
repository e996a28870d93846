import type { JsonValue } from "../../json/index.ts";
import { parseDocument } from "./parse-document.ts";
import { splitDocuments } from "./split-documents.ts";

export type ParsedYamlValue =
  | { readonly kind: "value"; readonly value: JsonValue }
  | { readonly kind: "problem"; readonly message: string };

/** The first document of a text as kubectl and API servers read it: `yes` is true, also as a key. */
export function parseYamlValue(text: string): ParsedYamlValue {
  const parsed = parseDocument(text);
  if (parsed.kind === "problem") return { kind: "problem", message: parsed.problem.message };
  const { values, problems } = parsed;
  const [problem] = problems;
  if (problem !== undefined) return { kind: "problem", message: problem.message };
  return { kind: "value", value: values[0] ?? null };
}

export type ParsedYamlStream =
  | { readonly kind: "values"; readonly values: readonly JsonValue[] }
  | { readonly kind: "problem"; readonly message: string };

/** All documents of a text; empty ones are left out. */
export function parseYamlStream(text: string): ParsedYamlStream {
  const all: JsonValue[] = [];
  for (const { start, end } of splitDocuments(text)) {
    const parsed = parseDocument(text.slice(start, end));
    if (parsed.kind === "problem") return { kind: "problem", message: parsed.problem.message };
    const { values, problems } = parsed;
    const [problem] = problems;
    if (problem !== undefined) return { kind: "problem", message: problem.message };
    for (const value of values) if (value !== null) all.push(value);
  }
  return { kind: "values", values: all };
}
