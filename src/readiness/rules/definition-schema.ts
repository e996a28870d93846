import { fieldAt, isJsonObject, objectsIn } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";

/** Whether a definition leaves room for a field, in at least one of its versions. */
export function hasField(definition: KubernetesObject, path: readonly string[]): boolean {
  const versions = objectsIn(fieldAt(definition, "spec", "versions"));
  if (versions.length === 0) return true;
  return versions.some((version) => {
    const schema = fieldAt(version, "schema", "openAPIV3Schema");
    return schema === undefined || leavesRoom(schema, path, true);
  });
}

const always = ["apiVersion", "kind", "metadata"];

function leavesRoom(schema: unknown, path: readonly string[], isRoot: boolean): boolean {
  const [field, ...rest] = path;
  if (field === undefined || !isJsonObject(schema)) return true;
  const isEmbedded = isRoot || schema["x-kubernetes-embedded-resource"] === true;
  if (isEmbedded && always.includes(field)) return true;
  const property = fieldAt(schema, "properties", field);
  if (property !== undefined) return leavesRoom(property, rest, false);
  if (schema["x-kubernetes-preserve-unknown-fields"] === true) return true;
  const { additionalProperties: additional } = schema;
  if (isJsonObject(additional)) return leavesRoom(additional, rest, false);
  return additional === true;
}
