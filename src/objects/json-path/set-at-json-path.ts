import { isJsonObject, type JsonValue } from "../../json/index.ts";
import { JsonPathError } from "./evaluation-error.ts";
import { type Evaluated, guarded } from "./evaluate.ts";
import { Evaluator } from "./evaluator.ts";
import type { JsonPath } from "./json-path.ts";

export interface SetAtJsonPath {
  /** A changed copy; the value that was given stays as it is. */
  readonly value: JsonValue;
  /** In how many places the new value was put. */
  readonly places: number;
}

/**
 * Puts a value at every place that a path leads to. A field that is not there is added if what it
 * would be in is there; nothing else is created.
 */
export function setAtJsonPath(
  path: JsonPath,
  target: JsonValue,
  replacement: JsonValue,
): Evaluated<SetAtJsonPath> {
  return guarded(path, { value: target, places: 0 }, () => {
    const [only, ...more] = path.parts;
    if (only?.kind !== "action" || more.length > 0) {
      throw new JsonPathError("only a single path can be set, not a template");
    }
    const last = only.steps.at(-1);
    if (last === undefined) throw new JsonPathError("it names no field");
    const evaluator = new Evaluator({ allowMissingKeys: true });
    const copy = structuredClone(target);
    const parents = new Set(evaluator.run(only.steps.slice(0, -1), [copy]));
    let places = 0;
    for (const parent of parents) {
      for (const member of new Set(evaluator.membersOf(last, parent))) {
        places += put(parent, member, structuredClone(replacement));
      }
    }
    return { value: copy, places };
  });
}

function put(parent: JsonValue, member: string | number, value: JsonValue): 0 | 1 {
  if (Array.isArray(parent) && typeof member === "number") {
    parent[member] = value;
    return 1;
  }
  if (!isJsonObject(parent)) return 0;
  const field = { value, enumerable: true, configurable: true, writable: true };
  Object.defineProperty(parent, String(member), field);
  return 1;
}
