import type { Value } from "../values/value.ts";

/** The name that `type(x)` gives. */
export function typeName(value: Value): string {
  if (value === null) return "NoneType";
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  return typeof value === "object" ? value.typeName : "int";
}
