import { stringifyJson } from "../json/index.ts";

/** The kinds of validation failure that the API server distinguishes, by their `reason`. */
export type FieldErrorType =
  | "FieldValueRequired"
  | "FieldValueInvalid"
  | "FieldValueTypeInvalid"
  | "FieldValueNotSupported"
  | "FieldValueForbidden"
  | "FieldValueTooLong"
  | "FieldValueTooMany"
  | "FieldValueDuplicate"
  | "FieldValueNotFound"
  | "InternalError";

/** One thing that is wrong with a field, in the API server's terms. */
export interface FieldError {
  readonly type: FieldErrorType;
  /** The path in the server's notation: `spec.containers[0].name`, `metadata.labels[app]`. */
  readonly field: string;
  /** All of the message but the path: `Required value: must be set`. */
  readonly detail: string;
}

/** The line that the server prints: `spec.replicas: Invalid value: -1: must be positive`. */
export function formatFieldError({ field, detail }: FieldError): string {
  return `${field}: ${detail}`;
}

/** What follows `is invalid: ` in a message: one error plainly, several in brackets. */
export function formatFieldErrors(errors: readonly FieldError[]): string {
  const lines = [...new Set(errors.map(formatFieldError))];
  return lines.length === 1 ? (lines[0] ?? "") : `[${lines.join(", ")}]`;
}

export function requiredField(field: string, detail = ""): FieldError {
  return { type: "FieldValueRequired", field, detail: withDetail("Required value", detail) };
}

export function invalid(field: string, value: unknown, detail: string): FieldError {
  const text = withDetail(`Invalid value: ${formatValue(value)}`, detail);
  return { type: "FieldValueInvalid", field, detail: text };
}

export function typeInvalid(field: string, value: unknown, detail: string): FieldError {
  const text = withDetail(`Invalid value: ${formatValue(value)}`, detail);
  return { type: "FieldValueTypeInvalid", field, detail: text };
}

export function notSupported(
  field: string,
  value: unknown,
  allowed: readonly string[],
): FieldError {
  const quoted = allowed.map((each) => JSON.stringify(each)).join(", ");
  const detail = `Unsupported value: ${formatValue(value)}${quoted === "" ? "" : `: supported values: ${quoted}`}`;
  return { type: "FieldValueNotSupported", field, detail };
}

export function forbidden(field: string, detail: string): FieldError {
  return { type: "FieldValueForbidden", field, detail: withDetail("Forbidden", detail) };
}

export function tooLong(field: string, maximum: number): FieldError {
  const detail =
    maximum < 0
      ? "value is too long"
      : `may not be more than ${maximum} byte${maximum === 1 ? "" : "s"}`;
  return { type: "FieldValueTooLong", field, detail: `Too long: ${detail}` };
}

export function tooMany(field: string, actual: number, maximum: number): FieldError {
  const detail =
    maximum < 0
      ? "has too many items"
      : `must have at most ${maximum} item${maximum === 1 ? "" : "s"}`;
  return { type: "FieldValueTooMany", field, detail: `Too many: ${actual}: ${detail}` };
}

export function duplicate(field: string, value: unknown): FieldError {
  return { type: "FieldValueDuplicate", field, detail: `Duplicate value: ${formatValue(value)}` };
}

export function notFound(field: string, value: unknown): FieldError {
  return { type: "FieldValueNotFound", field, detail: `Not found: ${formatValue(value)}` };
}

/** Strings quoted, the rest as JSON with sorted keys, as the server shows a bad value. */
function formatValue(value: unknown): string {
  return value === null || value === undefined ? "null" : stringifyJson(sortKeys(value));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sortKeys(each)]));
}

function withDetail(prefix: string, detail: string): string {
  return detail === "" ? prefix : `${prefix}: ${detail}`;
}
