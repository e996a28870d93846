import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../json/index.ts";
import { builtinResources } from "./builtin-resources.ts";
import { builtinSchemas } from "./builtin-schemas.ts";
import { crdSchema } from "./crd-schema.ts";
import { diagnoseObject } from "./diagnose-object.ts";
import type { GroupVersionKind, Schema } from "./schema.ts";
import { checkStructural } from "./structural-schema.ts";

/** Values that follow a schema for a while and then do anything. */
function near(schema: Schema, depth: number): fc.Arbitrary<JsonValue> {
  const anything = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>;
  if (depth === 0) return anything;
  const { properties, items, additionalProperties } = schema;
  if (properties !== undefined && properties.size > 0) {
    const keys = fc.subarray([...properties.keys()], { maxLength: Math.min(5, properties.size) });
    const object = keys.chain((chosen) =>
      fc.record(
        Object.fromEntries(chosen.map((key) => [key, near(properties.get(key) ?? {}, depth - 1)])),
      ),
    ) as fc.Arbitrary<JsonValue>;
    return fc.oneof({ arbitrary: object, weight: 9 }, { arbitrary: anything, weight: 1 });
  }
  if (items !== undefined) {
    const list = fc.array(near(items, depth - 1), { maxLength: 2 }) as fc.Arbitrary<JsonValue>;
    return fc.oneof({ arbitrary: list, weight: 9 }, { arbitrary: anything, weight: 1 });
  }
  if (typeof additionalProperties === "object") {
    const map = fc.dictionary(fc.string(), near(additionalProperties, depth - 1), { maxKeys: 2 });
    return fc.oneof({ arbitrary: map, weight: 9 }, { arbitrary: anything, weight: 1 });
  }
  return fc.oneof(anything, fc.constantFrom<JsonValue>("", "x", 0, -1, true, null));
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function neverThrows(kind: GroupVersionKind, schema: Schema): void {
  fc.assert(
    fc.property(near(schema, 6).filter(isObject), (object) => {
      expect(diagnoseObject(kind, schema, object, "it").diagnostics).toBeInstanceOf(Array);
    }),
    { numRuns: 25 },
  );
}

const kinds = builtinResources().filter((each) => each.verbs.includes("create"));

test.each(kinds.map((each) => [each.kind, each] as const))("any %s is read", (_name, kind) => {
  neverThrows(kind, builtinSchemas().get(kind) ?? {});
});

test("any schema of a definition is checked and used", () => {
  const definition = builtinSchemas().definition(
    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps",
  );
  fc.assert(
    fc.property(near(definition ?? {}, 4).filter(isObject), fc.jsonValue(), (schema, value) => {
      expect(checkStructural(schema, "schema")).toBeInstanceOf(Array);
      const kind = { group: "ex.io", version: "v1", kind: "Thing" };
      const object = { metadata: { name: "a" }, spec: value as JsonValue };
      expect(diagnoseObject(kind, crdSchema(schema), object, "it").value).toBeDefined();
    }),
    { numRuns: 300 },
  );
});
