import type { JsonObject, JsonValue } from "../json/index.ts";
import type { Schema } from "../schema/index.ts";
import { mergeValues } from "./merge-values.ts";
import { type TypeNode, typeNodeOf } from "./type-node.ts";

/** The live object with a configuration laid over it; nobody becomes the owner of anything. */
export function mergeConfiguration(
  schema: Schema,
  live: JsonObject,
  configuration: JsonObject,
): JsonObject {
  return (mergeValues(typeNodeOf(schema), live, configuration) ?? {}) as JsonObject;
}

/** The fields of a configuration that could only be replaced as a whole, such as `.spec.args`. */
export function atomicFields(schema: Schema, configuration: JsonObject): readonly string[] {
  return atomicsIn(typeNodeOf(schema), configuration, "");
}

function atomicsIn(type: TypeNode, value: JsonValue, path: string): readonly string[] {
  if (Array.isArray(value)) {
    const { list } = type;
    if (list === undefined) return [];
    const below = value.flatMap((item, index) =>
      atomicsIn(list.element, item, `${path}[${index}]`),
    );
    return list.isAtomic ? [path, ...below] : below;
  }
  if (typeof value !== "object" || value === null || type.map === undefined) return [];
  const { fields, isAtomic } = type.map;
  const below = Object.entries(value).flatMap(([key, entry]) => {
    const field = fields.get(key);
    return field === undefined ? [] : atomicsIn(field.type, entry, `${path}.${key}`);
  });
  return isAtomic ? [path, ...below] : below;
}
