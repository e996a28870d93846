import type { Value } from "../values/value.ts";

/** The name that `type(x)` gives. */
export function typeName(value: Value): string {
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "bool";
    case "number":
    case "bigint":
      return "int";
    default:
      return value === null ? "NoneType" : value.typeName;
  }
}
