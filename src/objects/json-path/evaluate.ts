import type { Diagnostic } from "../../diagnostics/index.ts";
import { stringifyJson, type JsonValue } from "../../json/index.ts";
import { JsonPathError } from "./evaluation-error.ts";
import { Evaluator } from "./evaluator.ts";
import type { JsonPath, JsonPathPart } from "./json-path.ts";

export interface JsonPathOptions {
  /** Whether a field that is not there gives nothing, as in kubectl, or is an error. */
  readonly allowMissingKeys?: boolean;
}

export interface Evaluated<Value> {
  readonly value: Value;
  readonly diagnostics: readonly Diagnostic[];
}

/** All values that a path finds, in order; empty with a diagnostic if it cannot be applied. */
export function evaluateJsonPath(
  path: JsonPath,
  value: JsonValue,
  options: JsonPathOptions = {},
): Evaluated<readonly JsonValue[]> {
  return guarded(path, [], () => runParts(path.parts, value, new Evaluator(options)).flat());
}

/** The text that a template gives, as `kubectl -o jsonpath` prints it. */
export function evaluateTemplate(
  path: JsonPath,
  value: JsonValue,
  options: JsonPathOptions = {},
): Evaluated<string> {
  return guarded(path, "", () =>
    runParts(path.parts, value, new Evaluator(options))
      .map((results) => results.map(printValue).join(" "))
      .join(""),
  );
}

/** One list of values for every piece of text and every action, in the order of printing. */
function runParts(
  parts: readonly JsonPathPart[],
  value: JsonValue,
  evaluator: Evaluator,
): readonly (readonly JsonValue[])[] {
  return parts.flatMap((part) => {
    switch (part.kind) {
      case "text":
        return [[part.text]];
      case "action":
        return [evaluator.run(part.steps, [value])];
      case "range":
        return evaluator
          .run(part.steps, [value])
          .flatMap((item) => runParts(part.body, item, evaluator));
      default:
        return part satisfies never;
    }
  });
}

/** Turns the error of a path that cannot be applied into a diagnostic. */
export function guarded<Value>(path: JsonPath, empty: Value, run: () => Value): Evaluated<Value> {
  try {
    return { value: run(), diagnostics: [] };
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    const summary = `the JSON path ${path.text.slice(0, 200)} cannot be applied: ${error.message}`;
    const diagnostic = {
      code: "objects.json-path-evaluation",
      severity: "error",
      summary,
    } as const;
    return { value: empty, diagnostics: [diagnostic] };
  }
}

function printValue(value: JsonValue): string {
  if (typeof value === "string") return value;
  return typeof value === "object" ? stringifyJson(value) : String(value);
}
