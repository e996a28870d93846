import { mutationAnnotation, parseMutations } from "./apply-time-mutation.ts";
import { evaluateJsonPath } from "./json-path/evaluate.ts";
import type { JsonPath } from "./json-path/json-path.ts";
import { setAtJsonPath } from "./json-path/set-at-json-path.ts";
import { isJsonObject, type JsonValue } from "../json/index.ts";

/** Where an object holds what its apply-time mutations take from Secrets. */
export function filledFromSecrets(value: unknown): readonly JsonPath[] {
  const metadata = isJsonObject(value) ? value["metadata"] : undefined;
  const annotations = isJsonObject(metadata) ? metadata["annotations"] : undefined;
  const text = isJsonObject(annotations) ? annotations[mutationAnnotation] : undefined;
  if (typeof text !== "string") return [];
  return parseMutations(text, "")
    .value.filter(({ source: { group, kind } }) => group === "" && kind === "Secret")
    .map(({ targetPath }) => targetPath);
}

/** A copy with other values in these places, where the object has them. */
export function withPlaces(
  value: unknown,
  paths: readonly JsonPath[],
  replacement: (path: JsonPath) => string,
): unknown {
  return paths.reduce<unknown>(
    (current, path) =>
      placesAt(current, path).length === 0
        ? current
        : setAtJsonPath(path, current as JsonValue, replacement(path)).value.value,
    value,
  );
}

/** What an object has in a place. */
export function placesAt(value: unknown, path: JsonPath): readonly JsonValue[] {
  return evaluateJsonPath(path, value as JsonValue, { allowMissingKeys: true }).value;
}
