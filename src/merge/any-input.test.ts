import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../json/index.ts";
import { crdSchema } from "../schema/index.ts";
import { applyConfiguration } from "./apply-configuration.ts";
import { updateManagers } from "./update-owners.ts";

const schema = crdSchema({
  type: "object",
  properties: {
    a: { type: "object", additionalProperties: { type: "string" } },
    b: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
    c: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
      items: { type: "object", properties: { k: { type: "string" } } },
    },
    d: { "x-kubernetes-preserve-unknown-fields": true },
  },
});

const anything = fc.jsonValue({ maxDepth: 3 });
const objects = fc.record(
  {
    metadata: fc.oneof(anything, fc.record({ managedFields: anything, annotations: anything })),
    a: anything,
    b: anything,
    c: anything,
    d: anything,
    other: anything,
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;

test("whatever is stored and sent, a write has a result", () => {
  const request = {
    apiVersion: "ex.io/v1",
    schema,
    empty: { apiVersion: "ex.io/v1", kind: "Thing" },
    now: "2026-01-01T00:00:00Z",
  };
  fc.assert(
    fc.property(objects, objects, fc.constantFrom("m", "kubectl"), (live, sent, manager) => {
      const applied = applyConfiguration({ ...request, live, applied: sent, manager });
      expect(["applied", "conflicts", "invalid"]).toContain(applied.kind);
      const updated = updateManagers({ ...request, live, updated: sent, manager });
      expect(updated.managedFields).toBeInstanceOf(Array);
    }),
    { numRuns: 500 },
  );
});
