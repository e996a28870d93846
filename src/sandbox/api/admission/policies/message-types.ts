import { type CelType, dyn, readType } from "../../../../cel/index.ts";

/**
 * The objects that expressions of mutations make: parts of the object, named by their path, which may
 * have any field; and steps of a JSON patch.
 */
export function messageType(name: string): CelType | undefined {
  if (name === "JSONPatch") return { kind: "object", name, fields: patchFields };
  if (name !== "Object" && !name.startsWith("Object.")) return undefined;
  return { kind: "object", name, fields: { get: () => dyn } };
}

const patchFields = new Map<string, CelType>([
  ["op", readType("string")],
  ["path", readType("string")],
  ["from", readType("string")],
  ["value", dyn],
]);
