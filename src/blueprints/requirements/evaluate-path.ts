import type { JsonValue } from "../../json/index.ts";
import { evaluateJsonPath, type JsonPath, parseJsonPath } from "../../objects/index.ts";

/** What a path finds: one value, nothing, or a reason why it can find neither. */
export type Found =
  | { readonly kind: "value"; readonly value: JsonValue }
  | { readonly kind: "missing" }
  | { readonly kind: "several"; readonly count: number }
  | { readonly kind: "unreadable"; readonly message: string };

const mostParsed = 2_000;
const parsed = new Map<string, JsonPath | string>();

/**
 * The one value that a path leads to. Where it leads nowhere, beyond the end of a list or into a
 * value that has no such member, the value is missing. A null that is found is a value.
 */
export function evaluatePath(path: string, value: JsonValue): Found {
  const known = parsePath(path);
  if (typeof known === "string") return { kind: "unreadable", message: known };
  const { value: results, diagnostics } = evaluateJsonPath(known, value);
  if (diagnostics.length > 0) return { kind: "missing" };
  const [first] = results;
  if (first === undefined) return { kind: "missing" };
  return results.length > 1
    ? { kind: "several", count: results.length }
    : { kind: "value", value: first };
}

/** Why a path cannot be parsed; undefined when it can. */
export function pathProblem(path: string): string | undefined {
  const known = parsePath(path);
  return typeof known === "string" ? known : undefined;
}

/** Paths come from templates, which are few and used often; what was parsed is kept, within a bound. */
function parsePath(path: string): JsonPath | string {
  const known = parsed.get(path);
  if (known !== undefined) return known;
  const { value, diagnostics } = parseJsonPath(withPlainKeys(path));
  const result = value ?? diagnostics[0]?.summary ?? `the JSON path ${path} cannot be parsed`;
  if (parsed.size >= mostParsed) parsed.clear();
  parsed.set(path, result);
  return result;
}

/** A key in quotes is one key, dots and all: `metadata.labels['a.b/c']`. kubectl wants them escaped. */
function withPlainKeys(path: string): string {
  return path.replaceAll(
    /\['([^'\\]*)'\]/g,
    (_all, key: string) => `['${key.replaceAll(".", "\\.")}']`,
  );
}
