import { nearest } from "../diagnostics/index.ts";
import type { Diagnostic, SourceRange } from "../diagnostics/index.ts";
import { isJsonObject, type JsonObject } from "../json/index.ts";
import type { FieldPath } from "../objects/index.ts";
import { validateObject } from "./builtin-validation/index.ts";
import { subdomainProblems } from "./builtin-validation/names.ts";
import { decodeObject } from "./decode-object.ts";
import { formatFieldError } from "./field-error.ts";
import { fieldSteps } from "./field-steps.ts";
import { isBase64 } from "./normalise.ts";
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
  const encoding = notBase64(kind, object, subject, sourceOf);
  diagnostics.push(...encoding);
  for (const problem of problems) {
    // Those know neither key nor remedy.
    if (encoding.length > 0 && problem.startsWith("illegal base64 data")) continue;
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
      hint: error.field === "metadata.name" ? nameHint(object) : undefined,
      subject,
      source: sourceOf(fieldSteps(error.field)),
    });
  }
  return { value, diagnostics };
}

/** Entries of a Secret or ConfigMap that were meant as plain text. Their values are not repeated. */
function notBase64(
  { group, kind }: GroupVersionKind,
  object: JsonObject,
  subject: string,
  sourceOf: (path: FieldPath) => SourceRange | undefined,
): readonly Diagnostic[] {
  const [encoded, plain] = kind === "Secret" ? ["data", "stringData"] : ["binaryData", "data"];
  const entries = object[encoded];
  if (group !== "" || (kind !== "Secret" && kind !== "ConfigMap") || !isJsonObject(entries))
    return [];
  return Object.entries(entries)
    .filter(([, value]) => typeof value === "string" && !isBase64(value))
    .map(([key]) => ({
      code: "schema.not-base64",
      severity: "error",
      summary: `${subject}: ${encoded}.${key} is not base64`,
      hint: `Plain text belongs under ${plain}: write \`${plain}:\` instead of \`${encoded}:\`; or encode the value, as \`base64\` does.`,
      subject,
      source: sourceOf([encoded, key]),
    }));
}

/** The line that would do, where it is near. */
function nameHint({ metadata }: JsonObject): string | undefined {
  const name = isJsonObject(metadata) ? metadata["name"] : undefined;
  if (typeof name !== "string") return undefined;
  const better = name.toLowerCase().replaceAll("_", "-");
  return better !== name && subdomainProblems(better).length === 0
    ? `Write \`name: ${better}\`.`
    : undefined;
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
