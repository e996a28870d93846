import { nearest } from "../diagnostics/index.ts";
import type { Diagnostic, SourceRange } from "../diagnostics/index.ts";
import type { JsonObject } from "../objects/json.ts";
import type { FieldPath } from "../objects/yaml/locate-path.ts";
import { validateObject } from "./builtin-validation/index.ts";
import { decodeObject } from "./decode-object.ts";
import { formatFieldError } from "./field-error.ts";
import { fieldSteps } from "./field-steps.ts";
import type { GroupVersionKind, Schema } from "./schema.ts";
import { validate } from "./validate.ts";

export interface DiagnosedObject {
  /** The object as a server would hold it. */
  readonly value: JsonObject;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Everything that a server would hold against an object, found without one. With a way to find places,
 * each is told at the field that it is about.
 */
export function diagnoseObject(
  kind: GroupVersionKind,
  schema: Schema,
  object: JsonObject,
  subject: string,
  sourceOf: (path: FieldPath) => SourceRange | undefined = () => undefined,
): DiagnosedObject {
  const { object: value, unknownFields, problems } = decodeObject(schema, object);
  const diagnostics: Diagnostic[] = unknownFields.map((field) => ({
    code: "schema.unknown-field",
    severity: "warning",
    summary: `${subject} has a field that ${kind.kind} does not know: ${field}`,
    hint: spellingHint(schema, field),
    subject,
    source: sourceOf(fieldSteps(field)),
  }));
  for (const problem of problems) {
    diagnostics.push({
      code: "schema.unreadable-object",
      severity: "error",
      summary: `${subject} cannot be read as a ${kind.kind}: ${problem}`,
      subject,
      source: sourceOf(fieldSteps(/ Go struct field \w+\.(\S+)/.exec(problem)?.[1] ?? "")),
    });
  }
  if (problems.length > 0) return { value, diagnostics };
  const isCustom = schema.name === undefined;
  const errors = [...validateObject(kind, value), ...(isCustom ? validate(schema, value) : [])];
  for (const error of errors) {
    diagnostics.push({
      code: "schema.invalid-object",
      severity: "error",
      summary: `${subject} is invalid: ${formatFieldError(error)}`,
      subject,
      source: sourceOf(fieldSteps(error.field)),
    });
  }
  return { value, diagnostics };
}

/** Proposes the field that was probably meant, among those at the same place. */
function spellingHint(schema: Schema, field: string): string | undefined {
  const steps = field.replaceAll(/\[\d+\]/g, ".[]").split(".");
  const last = steps.pop() ?? "";
  let at: Schema | undefined = schema;
  for (const step of steps) {
    const additional: Schema | boolean | undefined = at?.additionalProperties;
    at =
      step === "[]"
        ? at?.items
        : (at?.properties?.get(step) ?? (typeof additional === "object" ? additional : undefined));
  }
  const guess = nearest(last, [...(at?.properties?.keys() ?? [])]);
  return guess === undefined ? undefined : `Did you mean ${guess}?`;
}
