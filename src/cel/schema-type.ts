import type { Schema } from "../schema/index.ts";
import { type CelType, dyn, listOf, mapOf, scalar } from "./cel-type.ts";
import { escapePropertyName, isReservedWord } from "./property-name.ts";

/**
 * The type that an expression sees of a value with a schema; undefined when it sees nothing, as of
 * values that the schema does not describe. `name` is what messages call it.
 */
export function schemaType(schema: Schema, name: string): CelType | undefined {
  if (schema.intOrString === true || schema.format === "int-or-string") return dyn;
  switch (schema.type) {
    case "array": {
      const item = schema.items && schemaType(schema.items, `${name}.@idx`);
      return item && listOf(item);
    }
    case "object":
      return objectType(schema, name);
    case "string":
      return scalar(stringKinds[schema.format ?? ""] ?? "string");
    case "boolean":
      return scalar("bool");
    case "number":
      return scalar("double");
    case "integer":
      return scalar("int");
    case undefined:
    default:
      return undefined;
  }
}

/** The formats that are more than text. */
export const stringKinds: Readonly<Record<string, "bytes" | "duration" | "timestamp">> = {
  byte: "bytes",
  duration: "duration",
  date: "timestamp",
  "date-time": "timestamp",
};

function objectType(schema: Schema, name: string): CelType | undefined {
  const { additionalProperties } = schema;
  if (typeof additionalProperties === "object") {
    const value = schemaType(additionalProperties, `${name}.@elem`);
    return value && mapOf(scalar("string"), value);
  }
  const known = new Map<string, CelType | undefined>();
  return {
    kind: "object",
    name,
    fields: {
      get: (field) => {
        if (!known.has(field)) known.set(field, fieldType(schema, name, field));
        return known.get(field);
      },
    },
  };
}

function fieldType(schema: Schema, name: string, field: string): CelType | undefined {
  const property = findField(schema, field);
  return property && schemaType(property.schema, `${name}.${field}`);
}

export interface FieldSchema {
  readonly property: string;
  readonly schema: Schema;
}

/** The properties of an object by their names in expressions. */
export function fieldSchemas(schema: Schema): ReadonlyMap<string, FieldSchema> {
  const found = fieldsBySchema.get(schema);
  if (found !== undefined) return found;
  const fields = new Map<string, FieldSchema>();
  for (const [property, each] of schema.properties ?? []) {
    const escaped = escapePropertyName(property);
    if (escaped !== undefined)
      fields.set(escaped, { property, schema: visible(schema, property, each) });
  }
  fieldsBySchema.set(schema, fields);
  return fields;
}

/** The property that an expression names; after a dot, words of the language need no underscores. */
export function findField(schema: Schema, field: string): FieldSchema | undefined {
  const fields = fieldSchemas(schema);
  return fields.get(field) ?? (isReservedWord(field) ? fields.get(`__${field}__`) : undefined);
}

const fieldsBySchema = new WeakMap<Schema, ReadonlyMap<string, FieldSchema>>();

/** Of the metadata of an object, rules see what its author can choose. */
function visible(owner: Schema, property: string, schema: Schema): Schema {
  if (owner.embeddedResource !== true || property !== "metadata") return schema;
  const { properties } = schema;
  const names = ["name", "generateName"].flatMap((name) => {
    const each = properties?.get(name);
    return each === undefined ? [] : [[name, { ...each, presence: undefined }] as const];
  });
  return { type: "object", properties: new Map(names as never) };
}
