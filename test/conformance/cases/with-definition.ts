import { jsonStep, type Step } from "../case.ts";
import { definition, definitions, oneDefinition, things } from "./paths.ts";

/** When the conditions of a definition say that it is served. */
export const established: readonly [string, string] = ["status.conditions.1.status", "True"];

/** Creates a definition, waits until it is served, and at the end removes it. */
export function withDefinition(
  version: object,
  steps: readonly Step[],
  spec: object = {},
): readonly Step[] {
  return [
    jsonStep("POST", definitions, definition(version, spec), { prepare: true }),
    jsonStep("GET", oneDefinition, undefined, { prepare: true, until: established }),
    jsonStep("GET", things, undefined, { prepare: true, until: ["kind", "ThingList"] }),
    ...steps,
    jsonStep("DELETE", oneDefinition, undefined, { prepare: true }),
  ];
}

/** A version of a definition whose objects have a `spec` of these properties. */
export function specSchema(properties: object, rest: object = {}): object {
  return {
    schema: {
      openAPIV3Schema: {
        type: "object",
        properties: { spec: { type: "object", properties, ...rest } },
      },
    },
  };
}
