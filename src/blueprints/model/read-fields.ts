import { fieldAt, type JsonValue, objectAt } from "../../json/index.ts";

export { objectAt, objectsAt } from "../../json/index.ts";

/** Reads of objects that nobody may have validated: what has another shape counts as absent. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const found = fieldAt(value, ...path);
  return typeof found === "string" && found !== "" ? found : undefined;
}

export function valueAt(
  value: unknown,
  ...path: readonly (string | number)[]
): JsonValue | undefined {
  return fieldAt(value, ...path) as JsonValue | undefined;
}

/** The entries of a map of texts. */
export function textsAt(
  value: unknown,
  ...path: readonly (string | number)[]
): readonly (readonly [key: string, text: string])[] {
  return Object.entries(objectAt(value, ...path) ?? {}).flatMap(([key, each]) =>
    typeof each === "string" ? [[key, each] as const] : [],
  );
}
