import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeKinds, type MergeKind } from "../../test/cluster/merge-kinds.ts";
import { applyConfiguration } from "../merge/index.ts";
import type { JsonObject } from "../json/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import { builtinSchemas, crdSchema, decodeObject, emptyObject } from "../schema/index.ts";
import { compareByMerge, compareWithLive } from "./compare-with-live.ts";

/** What the server has after these applies; each by its manager. */
function applied(
  { apiVersion, kind, schema }: MergeKind,
  steps: readonly (readonly [manager: string, configuration: JsonObject])[],
): JsonObject | undefined {
  const empty: JsonObject =
    schema.name === undefined ? { apiVersion, kind } : emptyObject(schema, apiVersion, kind);
  let live = empty;
  for (const [manager, configuration] of steps) {
    const result = applyConfiguration({
      apiVersion,
      schema,
      live,
      empty,
      applied: complete(apiVersion, kind, configuration),
      manager,
      force: true,
      now: "2026-01-01T00:00:00Z",
    });
    if (result.kind !== "applied") return undefined;
    live = decodeObject(schema, result.object).object;
  }
  return live;
}

function complete(apiVersion: string, kind: string, configuration: JsonObject): JsonObject {
  const metadata = { ...(configuration["metadata"] as JsonObject | undefined), name: "one" };
  return { ...configuration, apiVersion, kind, metadata };
}

describe("compareWithLive", () => {
  const quantities: readonly (readonly [type: string, wanted: string, expected: string])[] = [
    ["v1 ResourceQuota", "0.5", "same"],
    ["v1 ResourceQuota", "500m", "same"],
    ["v1 ResourceQuota", "0.6", "different"],
    ["example.com/v1 Widget", "500m", "same"],
    ["example.com/v1 Widget", "0.5", "different"],
  ];
  it.each(quantities)("of %s: %s where 500m stands is %s", (type, wanted, expected) => {
    const [apiVersion = "", name = ""] = type.split(" ");
    const text = { type: "string", format: "quantity" };
    const spec = {
      type: "object",
      properties: { hard: { type: "object", properties: { cpu: text } } },
    };
    const schema =
      builtinSchemas().get({ group: "", version: "v1", kind: name }) ??
      crdSchema({ type: "object", properties: { spec } });
    const kind = { apiVersion, kind: name, schema } as MergeKind;
    const live = applied(kind, [["keelson", { spec: { hard: { cpu: "500m" } } }]]);
    const object = complete(apiVersion, name, { spec: { hard: { cpu: wanted } } }) as unknown;
    expect(
      compareWithLive(
        object as KubernetesObject,
        live as unknown as KubernetesObject,
        schema,
        "keelson",
      ),
    ).toBe(expected);
  });

  it.each(mergeKinds.map((kind) => [kind.kind, kind] as const))(
    "of %s: the short way says nothing that the long way does not",
    { timeout: 60_000 },
    (_name, kind) => {
      let short = 0;
      fc.assert(
        fc.property(
          fc.array(fc.tuple(fc.constantFrom("keelson", "other"), kind.configuration), {
            minLength: 1,
            maxLength: 4,
          }),
          fc.option(kind.configuration),
          (steps, other) => {
            const live = applied(kind, steps) as KubernetesObject | undefined;
            const last = steps.findLast(([manager]) => manager === "keelson")?.[1];
            const wanted = other ?? last;
            if (live === undefined || wanted === undefined) return;
            const object = complete(kind.apiVersion, kind.kind, wanted) as unknown;
            const arguments_ = [object as KubernetesObject, live, kind.schema, "keelson"] as const;
            const comparison = compareWithLive(...arguments_);
            if (comparison === "same") short++;
            expect(comparison).toBe(compareByMerge(...arguments_));
          },
        ),
        { numRuns: 100 },
      );
      expect(short).toBeGreaterThan(0);
    },
  );
});
