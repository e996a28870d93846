import type { Schema } from "../schema/index.ts";

/** The largest request that a server takes; nothing in an object can be larger. */
export const largestRequest = 3 * 1024 * 1024;

/** Texts of these formats are never longer. */
const formatLengths: Readonly<Record<string, number>> = {
  duration: 32,
  date: 12,
  "date-time": 32,
};

/** The fewest bytes of a text in JSON, quotes included. */
const shortestTexts: Readonly<Record<string, number>> = { duration: 3, date: 12, "date-time": 21 };

/** A character may take as many bytes. */
const bytesPerCharacter = 4;
const quotes = 2;

/**
 * How many items, entries or characters a value of a schema can have at most: as many as it says, or
 * as many as a request can hold. Other values have none.
 */
export function largestSize(schema: Schema): number {
  if (schema.intOrString === true) return textSize(schema, largestRequest - quotes);
  switch (schema.type) {
    case "array":
      return schema.items === undefined
        ? 0
        : Math.max(0, schema.maxItems ?? fitting(smallestBytes(schema.items) + 1));
    case "object": {
      const { additionalProperties } = schema;
      if (typeof additionalProperties !== "object") return 0;
      const entryBytes = smallestBytes(additionalProperties) + 6;
      return Math.max(0, schema.maxProperties ?? fitting(entryBytes));
    }
    case "string": {
      const { format = "", maxLength } = schema;
      const fixed = formatLengths[format];
      if (fixed !== undefined) return fixed;
      if (format === "byte") return Math.max(0, maxLength ?? largestRequest - quotes);
      return textSize(schema, longestOf(schema.enum ?? []) ?? largestRequest - quotes);
    }
    case "integer":
    case "number":
    case "boolean":
    case undefined:
    default:
      return 0;
  }
}

function textSize({ maxLength }: Schema, otherwise: number): number {
  return maxLength === undefined ? otherwise : Math.max(0, maxLength) * bytesPerCharacter;
}

function longestOf(values: readonly unknown[]): number | undefined {
  if (values.length === 0) return undefined;
  return Math.max(
    ...values.map((value) => (typeof value === "string" ? Buffer.byteLength(value) : 0)),
  );
}

/** How many things of so many bytes fit into a request, within a pair of brackets. */
function fitting(bytes: number): number {
  return Math.floor((largestRequest - quotes) / bytes);
}

/** The fewest bytes that a value of a schema takes in JSON. */
export function smallestBytes(schema: Schema): number {
  if (schema.intOrString === true) return 1;
  switch (schema.type) {
    case "object":
      return typeof schema.additionalProperties === "object" ? 2 : smallestObject(schema);
    case "array":
      return 2;
    case "string":
      return shortestTexts[schema.format ?? ""] ?? 2;
    case "boolean":
      return 4;
    case "integer":
    case "number":
    case undefined:
    default:
      return 1;
  }
}

/** What must be there and is not filled in by the server, with quotes, colon and comma. */
function smallestObject({ properties, required = [] }: Schema): number {
  let bytes = 2;
  for (const name of new Set(required)) {
    const property = properties?.get(name);
    if (property === undefined || property.default !== undefined) continue;
    if (property.type === undefined && property.intOrString !== true) continue;
    bytes += Buffer.byteLength(name) + smallestBytes(property) + 4;
  }
  return bytes;
}
