import { type JsonValue, isJsonObject } from "../../json/index.ts";
import type { FieldPath } from "../yaml/locate-path.ts";
import { JsonPathError } from "./evaluation-error.ts";
import { type Evaluated, guarded } from "./evaluate.ts";
import { Evaluator } from "./evaluator.ts";
import type { JsonPath } from "./json-path.ts";

/** The places that a single path leads to and that exist, each as the fields and indexes to it. */
export function locateJsonPath(path: JsonPath, value: JsonValue): Evaluated<readonly FieldPath[]> {
  return guarded(path, [], () => {
    const [only, ...more] = path.parts;
    if (only?.kind !== "action" || more.length > 0) {
      throw new JsonPathError("only a single path has a place, not a template");
    }
    const last = only.steps.at(-1);
    if (last === undefined) return [[]];
    const evaluator = new Evaluator({ allowMissingKeys: true });
    const parents = new Set(evaluator.run(only.steps.slice(0, -1), [value]));
    const paths = pathsOf(value, parents);
    return [...parents].flatMap((parent) => {
      const above = paths.get(parent);
      if (above === undefined) return [];
      return [...new Set(evaluator.membersOf(last, parent))]
        .filter((member) => has(parent, member))
        .map((member) => [...above, member]);
    });
  });
}

/** Where in a value each of the wanted lists and objects is; what is neither has no members. */
function pathsOf(
  value: JsonValue,
  wanted: ReadonlySet<JsonValue>,
): ReadonlyMap<JsonValue, FieldPath> {
  const found = new Map<JsonValue, FieldPath>();
  const waiting: (readonly [JsonValue, FieldPath])[] = [[value, []]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [current, path] = next;
    if (typeof current !== "object" || current === null) continue;
    if (wanted.has(current)) found.set(current, path);
    for (const [key, child] of Object.entries(current)) {
      waiting.push([child, [...path, Array.isArray(current) ? Number(key) : key]]);
    }
  }
  return found;
}

function has(parent: JsonValue, member: string | number): boolean {
  if (typeof member === "number") return Array.isArray(parent) && member < parent.length;
  return isJsonObject(parent) && Object.hasOwn(parent, member);
}
