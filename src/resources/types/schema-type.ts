import type { Schema } from "../../schema/index.ts";

/** How types are written down. */
export interface TypeWriting {
  /** The name of a type that is declared elsewhere; undefined to write it in place. */
  readonly nameOf: (schema: Schema) => string | undefined;
  /** Whether the descriptions of fields become comments. */
  readonly hasComments: boolean;
}

const deepest = 40;

/** The TypeScript type of values that a schema describes. */
export function typeOfSchema(schema: Schema, writing: TypeWriting, depth = 0): string {
  const type = depth > deepest ? "unknown" : bareType(schema, writing, depth);
  return schema.nullable === true && type !== "unknown" ? `${type} | null` : type;
}

/** The fields of an object type, between braces. */
export function fieldsOfSchema(
  schema: Schema,
  writing: TypeWriting,
  depth = 0,
  without: readonly string[] = [],
): string {
  const lines = [...(schema.properties ?? [])]
    .filter(([key]) => !without.includes(key))
    .map(([key, field]) => {
      const isRequired = schema.required?.includes(key) === true;
      const type = typeOfSchema(field, writing, depth + 1);
      const mark = isRequired ? ":" : "?:";
      const missing = isRequired || type === "unknown" ? "" : " | undefined";
      const comment = writing.hasComments ? commentOf(field.description) : "";
      return `${comment}readonly ${propertyKey(key)}${mark} ${type}${missing};`;
    });
  if (schema.preserveUnknownFields === true) lines.push("readonly [field: string]: unknown;");
  return `{\n${lines.join("\n")}\n}`;
}

function bareType(schema: Schema, writing: TypeWriting, depth: number): string {
  const name = writing.nameOf(schema);
  if (name !== undefined) return name;
  if (schema.intOrString === true || schema.format === "int-or-string") return "number | string";
  if (schema.format === "quantity") return "string | number";
  if (schema.enum !== undefined && schema.enum.length > 0) return enumType(schema.enum);
  switch (schema.type) {
    case "string":
      return "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "array":
      return `readonly ${bracketed(typeOfSchema(schema.items ?? {}, writing, depth + 1))}[]`;
    case "object":
      return objectType(schema, writing, depth);
    case undefined:
    default:
      return schema.properties === undefined ? "unknown" : objectType(schema, writing, depth);
  }
}

function objectType(schema: Schema, writing: TypeWriting, depth: number): string {
  if (schema.properties !== undefined && schema.properties.size > 0) {
    return fieldsOfSchema(schema, writing, depth);
  }
  const { additionalProperties } = schema;
  const inner =
    typeof additionalProperties === "object"
      ? typeOfSchema(additionalProperties, writing, depth + 1)
      : "unknown";
  return `Readonly<Record<string, ${inner}>>`;
}

function enumType(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(" | ");
}

function bracketed(type: string): string {
  return /[ {]/.test(type) ? `(${type})` : type;
}

/** A key as it stands in a type: quoted where it is no identifier. */
export function propertyKey(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}

/** The first sentence of a description as a comment. */
export function commentOf(description: string | undefined): string {
  const [paragraph = ""] = (description ?? "").trim().split(/\n\s*\n/);
  const [sentence = ""] = paragraph.replaceAll(/\s+/g, " ").split(/(?<=[.!?]) /);
  return sentence === "" ? "" : `/** ${sentence.replaceAll("*/", "* /")} */\n`;
}
