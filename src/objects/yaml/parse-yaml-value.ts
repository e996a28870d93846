import type { JsonValue } from "../json.ts";
import { buildValues } from "./build-values.ts";
import { parseEvents } from "./parse-events.ts";

export type ParsedYamlValue =
  | { readonly kind: "value"; readonly value: JsonValue }
  | { readonly kind: "problem"; readonly message: string };

/** The first document of a text as kubectl and API servers read it: `yes` is true, also as a key. */
export function parseYamlValue(text: string): ParsedYamlValue {
  const parsed = parseEvents(text);
  if (parsed.kind === "problem") return { kind: "problem", message: parsed.problem.message };
  const { values, problems } = buildValues(text, parsed.events);
  const [problem] = problems;
  if (problem !== undefined) return { kind: "problem", message: problem.message };
  return { kind: "value", value: values[0] ?? null };
}
