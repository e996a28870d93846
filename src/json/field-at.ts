import { ownField } from "./set-field.ts";
import { asObject, isJsonObject, type JsonObject } from "./json.ts";

/** The value that a path of fields and indexes leads to, or undefined where it leads nowhere. */
export function fieldAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  let current = value;
  for (const step of path) {
    if (typeof step === "number") current = Array.isArray(current) ? current[step] : undefined;
    else
      current = isJsonObject(current) && Object.hasOwn(current, step) ? current[step] : undefined;
  }
  return current;
}

/** A copy with another value at a path, which shares everything beside it; the same where it leads nowhere. */
export function withFieldAt(
  value: unknown,
  path: readonly (string | number)[],
  change: (before: unknown) => unknown,
): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  if (typeof step === "number")
    return Array.isArray(value) ? value.with(step, withFieldAt(value[step], rest, change)) : value;
  if (!isJsonObject(value)) return value;
  return { ...value, [step]: withFieldAt(ownField(value, step), rest, change) };
}

/** The object that a path leads to; what has another shape counts as absent. */
export function objectAt(
  value: unknown,
  ...path: readonly (string | number)[]
): JsonObject | undefined {
  return asObject(fieldAt(value, ...path));
}

/** The objects in the list that a path leads to. */
export function objectsAt(
  value: unknown,
  ...path: readonly (string | number)[]
): readonly JsonObject[] {
  return objectsIn(fieldAt(value, ...path));
}

/** The objects in a list; nothing when it is no list. */
export function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((each) => isJsonObject(each)) : [];
}
