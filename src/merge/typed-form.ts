import type { JsonArray, JsonValue } from "../json/index.ts";
import type { TypeNode } from "./type-node.ts";

/** A value that may be absent; null is a value. */
export type MaybeValue = JsonValue | undefined;

/** The form in which a value of a type is looked at. */
export type TypedForm = "scalar" | "list" | "map";

/**
 * The form that a value takes among those its type allows; `any` when the value does not decide it,
 * because it is absent, null, or of a form that the type does not allow.
 */
export function formOf(type: TypeNode, value: MaybeValue): TypedForm | "any" {
  const form = plainForm(value);
  return form !== undefined && type[form] !== undefined ? form : onlyForm(type);
}

/** The form to use when the value does not decide: maps first, as the server does. */
export function resolveForm(type: TypeNode, form: TypedForm | "any"): TypedForm | undefined {
  if (form !== "any") return form;
  if (type.map !== undefined) return "map";
  if (type.scalar !== undefined) return "scalar";
  return type.list === undefined ? undefined : "list";
}

export function asArray(value: MaybeValue): JsonArray | undefined {
  return Array.isArray(value) ? value : undefined;
}

function plainForm(value: MaybeValue): TypedForm | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return "list";
  return typeof value === "object" ? "map" : "scalar";
}

function onlyForm(type: TypeNode): TypedForm | "any" {
  if (type.map !== undefined) {
    return type.scalar === undefined && type.list === undefined ? "map" : "any";
  }
  if (type.scalar !== undefined) return type.list === undefined ? "scalar" : "any";
  return type.list === undefined ? "any" : "list";
}
