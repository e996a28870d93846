import { isJsonObject, parseJson, stringifyJson } from "../json/index.ts";
import type { FieldPath } from "./yaml/locate-path.ts";

/** Names the fields of an object that are secret although it is no Secret; paths only, never values. */
export const secretFieldsAnnotation = "keelson.dev/secret-fields";

const lastApplied = ["metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration"];

/** The value of the annotation: a JSON list of paths, each a list of its steps. */
export function writeSecretFields(fields: readonly FieldPath[]): string {
  return stringifyJson(fields.map((field) => [...field]));
}

/** The fields that an object itself says are secret, and the copy of them that kubectl keeps. */
export function secretFieldsOf(value: unknown): readonly FieldPath[] {
  const metadata = isJsonObject(value) ? value["metadata"] : undefined;
  const annotations = isJsonObject(metadata) ? metadata["annotations"] : undefined;
  const text = isJsonObject(annotations) ? annotations[secretFieldsAnnotation] : undefined;
  if (typeof text !== "string") return [];
  return [...readPaths(text), lastApplied];
}

function readPaths(text: string): readonly FieldPath[] {
  try {
    const paths: unknown = parseJson(text);
    return Array.isArray(paths) ? paths.filter((path) => isPath(path)) : [];
  } catch {
    // Somebody else wrote it; then it names nothing.
    return [];
  }
}

function isPath(path: unknown): path is FieldPath {
  return (
    Array.isArray(path) &&
    path.length > 0 &&
    path.every((step) => typeof step === "string" || typeof step === "number")
  );
}
