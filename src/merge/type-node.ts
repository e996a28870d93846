import type { JsonValue } from "../json/index.ts";
import type { Schema } from "../schema/index.ts";

export type ScalarKind = "numeric" | "string" | "boolean" | "untyped";

/**
 * What merging needs to know of a type. A node may allow several forms (a scalar, a list, a map);
 * the value then decides which one it is.
 */
export interface TypeNode {
  readonly scalar?: ScalarKind;
  /** `0.5` and `500m` are one value; the server writes the latter. */
  readonly isQuantity?: true;
  readonly list?: ListType;
  readonly map?: MapType;
}

export interface ListType {
  readonly element: TypeNode;
  /** Atomic lists have one owner; the items of the others have owners of their own. */
  readonly isAtomic: boolean;
  /** Empty for a set: its items are their own keys. */
  readonly keys: readonly string[];
}

export interface MapType {
  readonly fields: ReadonlyMap<string, FieldType>;
  /** The type of entries that are no fields; absent when there may be none. */
  readonly element?: TypeNode;
  readonly isAtomic: boolean;
}

export interface FieldType {
  readonly type: TypeNode;
  readonly default?: JsonValue;
}

/** Values whose schema is unknown: lists as a whole, maps entry by entry. */
export const deducedType: TypeNode = deduced();

/** The merge type of a schema; computed once for each. */
export function typeNodeOf(schema: Schema): TypeNode {
  return compile(schema, false);
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

// The same schema means two things, below a field that keeps unknown fields and elsewhere.
const strict = new WeakMap<Schema, TypeNode>();
const preserving = new WeakMap<Schema, TypeNode>();

function compile(schema: Schema, inheritsPreserving: boolean): TypeNode {
  if (schema.format === "raw") return untypedAtomic;
  const preserves = schema.name === undefined ? inheritsPreserving : false;
  const cache = preserves ? preserving : strict;
  const known = cache.get(schema);
  if (known !== undefined) return known;
  const node: Writable<TypeNode> = {};
  cache.set(schema, node);
  const below = preserves || (schema.preserveUnknownFields === true && schema.name === undefined);
  fill(node, schema, below);
  return node;
}

function fill(node: Writable<TypeNode>, schema: Schema, preserves: boolean): void {
  if (schema.format === "quantity" || schema.format === "int-or-string") {
    node.scalar = "untyped";
    // A custom resource may use the word too; there it is text like any other.
    const isBuiltin = schema.type === undefined && schema.preserveUnknownFields !== true;
    if (schema.format === "quantity" && isBuiltin) node.isQuantity = true;
    return;
  }
  switch (schema.type) {
    case "integer":
    case "number":
      node.scalar = "numeric";
      return;
    case "boolean":
      node.scalar = "boolean";
      return;
    case "string":
      node.scalar = schema.format === undefined || schema.format === "byte" ? "string" : "untyped";
      return;
    case "array":
      node.list = listType(schema, preserves);
      return;
    case "object":
      node.map = mapType(schema, preserves);
      return;
    case undefined:
      node.scalar = "untyped";
      node.list = listType(schema, preserves);
      node.map = mapType(schema, preserves);
  }
}

function listType(schema: Schema, preserves: boolean): ListType {
  const element = schema.items === undefined ? untypedAtomic : compile(schema.items, preserves);
  if (schema.listType !== undefined) {
    const keys = schema.listType === "map" ? (schema.listMapKeys ?? []) : [];
    return { element, isAtomic: schema.listType === "atomic", keys };
  }
  // Built-in lists without a list type follow the older markers of strategic merge patch.
  if (schema.patchStrategy?.startsWith("merge") === true) {
    const keys = schema.patchMergeKey === undefined ? [] : [schema.patchMergeKey];
    return { element, isAtomic: false, keys };
  }
  return { element, isAtomic: true, keys: [] };
}

function mapType(schema: Schema, preserves: boolean): MapType {
  const fields = new Map<string, FieldType>();
  for (const [name, property] of schema.properties ?? []) {
    const type = compile(property, preserves);
    fields.set(
      name,
      property.default === undefined ? { type } : { type, default: property.default },
    );
  }
  const element = elementType(schema, preserves);
  return {
    fields,
    ...(element === undefined ? {} : { element }),
    isAtomic: schema.mapType === "atomic",
  };
}

function elementType(schema: Schema, preserves: boolean): TypeNode | undefined {
  const additional = schema.additionalProperties;
  if (typeof additional === "object") return compile(additional, preserves);
  if (additional === true) return deducedType;
  if (additional === false) return undefined;
  return preserves || (schema.properties?.size ?? 0) === 0 ? deducedType : undefined;
}

const untypedAtomic: TypeNode = untyped();

function untyped(): TypeNode {
  const node: Writable<TypeNode> = { scalar: "untyped" };
  node.list = { element: node, isAtomic: true, keys: [] };
  node.map = { fields: new Map(), element: node, isAtomic: true };
  return node;
}

function deduced(): TypeNode {
  const node: Writable<TypeNode> = { scalar: "untyped" };
  node.list = { element: untyped(), isAtomic: true, keys: [] };
  node.map = { fields: new Map(), element: node, isAtomic: false };
  return node;
}
