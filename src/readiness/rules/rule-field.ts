import { type JsonPath, type JsonPathStep, parseJsonPath } from "../../objects/index.ts";

/** A path in an annotation: bare with dots, or a JSON path; or why it is none. */
export function readRulePath(
  text: string,
):
  | { readonly kind: "path"; readonly path: JsonPath }
  | { readonly kind: "problem"; readonly message: string } {
  const { value, diagnostics } = parseJsonPath(text.trim());
  if (value === undefined) return { kind: "problem", message: diagnostics[0]?.summary ?? "" };
  const [only, ...more] = value.parts;
  if (only?.kind !== "action" || more.length > 0)
    return { kind: "problem", message: `the path ${text} is a template, not one path` };
  const isNoField = (step: JsonPathStep): boolean =>
    step.kind === "literal" || (step.kind === "field" && step.name === "");
  if (only.steps.length === 0 || only.steps.some(isNoField))
    return { kind: "problem", message: `the path ${text} names no field` };
  return { kind: "path", path: value };
}

/** The names of the fields that a path leads through, up to where it is more than names. */
export function leadingFields({ parts: [only] }: JsonPath): {
  readonly fields: readonly string[];
  /** Whether the path is nothing but names. */
  readonly isWhole: boolean;
} {
  const steps = only?.kind === "action" ? only.steps : [];
  const fields: string[] = [];
  for (const step of steps) {
    if (step.kind !== "field" || step.name === "") return { fields, isWhole: false };
    fields.push(step.name);
  }
  return { fields, isWhole: fields.length > 0 };
}
