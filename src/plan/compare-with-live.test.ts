import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeKinds, type MergeKind } from "../../test/cluster/merge-kinds.ts";
import { applyConfiguration } from "../merge/index.ts";
import type { JsonObject, KubernetesObject } from "../objects/index.ts";
import { decodeObject, emptyObject } from "../schema/index.ts";
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
  it.each(mergeKinds.map((kind) => [kind.kind, kind] as const))(
    "of %s: the short way says nothing that the long way does not",
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
        { numRuns: 300 },
      );
      expect(short).toBeGreaterThan(0);
    },
  );
});
