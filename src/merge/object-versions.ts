import type { JsonObject } from "../json/index.ts";
import type { Schema } from "../schema/index.ts";
import type { FieldSet } from "./field-set.ts";
import { type TypeNode, typeNodeOf } from "./type-node.ts";

/** What merging must know of the kind whose object is written. */
export interface VersionedKind {
  /** The version of this request. */
  readonly apiVersion: string;
  readonly schema: Schema;
  /** The schemas of further versions that are served; entries of all others are dropped. */
  readonly otherVersions?: ReadonlyMap<string, Schema>;
  /** Turns an object into another version; without it only the apiVersion changes. */
  readonly convert?: (object: JsonObject, apiVersion: string) => JsonObject;
  /** Fields that the endpoint itself resets, by version: nobody comes to own them here. */
  readonly resetFields?: ReadonlyMap<string, FieldSet>;
}

export function typeAt(kind: VersionedKind, apiVersion: string): TypeNode | undefined {
  const schema = apiVersion === kind.apiVersion ? kind.schema : kind.otherVersions?.get(apiVersion);
  return schema === undefined ? undefined : typeNodeOf(schema);
}

export function objectInVersion(
  kind: VersionedKind,
  object: JsonObject,
  apiVersion: string,
): JsonObject {
  if (object["apiVersion"] === apiVersion) return object;
  return kind.convert?.(object, apiVersion) ?? { ...object, apiVersion };
}
