import type { Diagnostic } from "../../diagnostics/index.ts";
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from "../../json/index.ts";

export type KptEventType =
  | "apply"
  | "delete"
  | "error"
  | "group"
  | "prune"
  | "status"
  | "summary"
  | "validation"
  | "wait";

/** One line of kpt's JSON: seconds in the time, and fields in the order of their names. */
export function kptLine(type: KptEventType, content: JsonObject, at = new Date()): string {
  const timestamp = at.toISOString().replace(/\.\d+Z$/, "Z");
  return `${stringifyJson(inOrder({ ...content, timestamp, type }))}\n`;
}

/**
 * What ends a run before it writes anything: a line for everything that is wrong with objects, and last
 * one error with all of it, after which kpt prints nothing more. Warnings have no place in kpt's lines.
 */
export function kptDiagnosticLines(diagnostics: readonly Diagnostic[]): readonly string[] {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return [];
  const error = errors.map(({ summary }) => summary).join("\n");
  const named = errors.filter(
    ({ object, objects }) => object !== undefined || objects !== undefined,
  );
  return [...named.map(kptValidationLine), kptLine("error", { error })];
}

/** An error as the line that names its objects; what cannot be read has none, and does not end every run. */
export function kptValidationLine({
  summary: error,
  object,
  objects = object === undefined ? [] : [object],
}: Pick<Diagnostic, "summary" | "object" | "objects">): string {
  return kptLine("validation", { error, objects: objects.map((each) => ({ ...each })) });
}

function inOrder(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).map(([key, each]) => [key, inOrder(each)] as const);
  return Object.fromEntries(fields.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
