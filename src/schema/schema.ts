import type { JsonValue } from "../json/index.ts";

export type SchemaType = "object" | "array" | "string" | "integer" | "number" | "boolean";

/**
 * How a field of a built-in kind appears in what the server stores and sends. Built-in kinds are Go
 * structs there, and their JSON tags decide what happens to the empty and the absent:
 * - `optional`: a plain value, left out when empty (zero, "", false, [], {}).
 * - `always`: a plain value, written even when empty.
 * - `pointer`: left out only when absent or null.
 * - `nullable-pointer`: written as null when absent.
 * - `zero`: left out when it has its zero value.
 */
export type FieldPresence = "optional" | "always" | "pointer" | "nullable-pointer" | "zero";

/** One rule of `x-kubernetes-validations`; its expressions are CEL. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** What both built-in kinds and custom resources are described with. */
export interface Schema extends ValueConstraints {
  /** The definition name of a built-in type, such as `io.k8s.api.core.v1.Pod`. */
  readonly name?: string;
  /** Absent when a value of any type is allowed. */
  readonly type?: SchemaType;
  /** Also `quantity`, `int-or-string`, `date-time`, `micro-time`, `fields` and `raw` of built-in kinds. */
  readonly format?: string;
  readonly properties?: ReadonlyMap<string, Schema>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly default?: JsonValue;
  readonly nullable?: boolean;
  readonly listType?: "atomic" | "set" | "map";
  readonly listMapKeys?: readonly string[];
  readonly mapType?: "atomic" | "granular";
  readonly intOrString?: boolean;
  readonly preserveUnknownFields?: boolean;
  readonly embeddedResource?: boolean;
  /** Strategic merge patch, built-in kinds only. */
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
  readonly presence?: FieldPresence;
  readonly description?: string;
  readonly validations?: readonly ValidationRule[];
  /** Of a custom kind without a status subresource: its status is written like any other field. */
  readonly hasPlainStatus?: boolean;
}

/** The part of a schema that may also stand under allOf, anyOf, oneOf and not. */
export interface ValueConstraints {
  readonly required?: readonly string[];
  readonly enum?: readonly JsonValue[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;
}

/** A kind of a group and version; the core group is the empty string. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Schemas by group, version and kind. */
export interface SchemaSet {
  readonly get: (gvk: GroupVersionKind) => Schema | undefined;
  /** The schema of a type by its definition name, such as `io.k8s.api.core.v1.PodSpec`. */
  readonly definition: (name: string) => Schema | undefined;
  readonly definitionNames: readonly string[];
}
