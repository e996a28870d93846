/** Whether an apply would change anything: what the plan says against the dry run of the real server. */
import * as fc from "fast-check";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { isApiError, type Timing } from "../../src/cluster/index.ts";
import type { JsonObject } from "../../src/json/index.ts";
import type { KubernetesObject } from "../../src/objects/index.ts";
import { compareWithLive } from "../../src/plan/index.ts";
import { type MergeKind, mergeKinds, thingDefinition } from "./merge-kinds.ts";
import { patienceMs } from "../patience.ts";
import { useTestCluster } from "./test-cluster.ts";

/** The server answers some Services with 500; asking again is of no use, and must not take long. */
const timing: Timing = { now: () => Date.now(), random: () => 0.5, sleep: () => Promise.resolve() };
const test = useTestCluster({ timing });
let runs = 0;

beforeAll(async () => {
  const definition = thingDefinition as unknown as KubernetesObject;
  await test.cluster.apply(definition, { fieldManager: "test", force: true });
  const { apiVersion = "", kind = "" } = mergeKinds.at(-1) ?? {};
  await vi.waitUntil(
    async () => (await test.cluster.refreshResources()).find({ apiVersion, kind }) !== undefined,
    patienceMs,
  );
});

describe("an object that is planned as unchanged", () => {
  it.each(mergeKinds.map((kind) => [kind.kind, kind] as const))(
    "is one that the server would leave as it is: %s",
    async (_name, kind) => {
      let same = 0;
      await fc.assert(
        fc.asyncProperty(
          kind.configuration,
          fc.option(kind.configuration),
          fc.option(kind.configuration),
          async (first, others, second) => {
            const outcome = await compare(kind, first, others ?? undefined, second ?? first);
            if (outcome === undefined) return;
            if (outcome.said === "unsure") return;
            if (outcome.said === "same") same++;
            expect(outcome.said).toBe(outcome.server);
          },
        ),
        // Configurations that the server cannot read are answered 500, which the client tries again.
        { numRuns: 40, endOnFailure: true, interruptAfterTimeLimit: 20_000 },
      );
      // A Deployment may be written by its controller between every two looks.
      if (kind.kind !== "Deployment") expect(same).toBeGreaterThan(0);
    },
  );
});

/** What is said and what the server does; undefined when it refuses, or somebody else writes meanwhile. */
async function compare(
  kind: MergeKind,
  first: JsonObject,
  others: JsonObject | undefined,
  second: JsonObject,
): Promise<{ readonly said: string; readonly server: string } | undefined> {
  const name = `unchanged-${runs++}`;
  const { cluster, namespace } = test;
  const object = (configuration: JsonObject): KubernetesObject => {
    const metadata = { ...(configuration["metadata"] as object), name, namespace };
    const { apiVersion, kind: word } = kind;
    return { ...configuration, apiVersion, kind: word, metadata };
  };
  const reference = { apiVersion: kind.apiVersion, kind: kind.kind, namespace, name };
  try {
    await cluster.apply(object(first), { fieldManager: "keelson", force: true });
    if (others !== undefined)
      await cluster.apply(object(others), { fieldManager: "other", force: true });
    const live = await cluster.get(reference);
    const said = compareWithLive(object(second), live, kind.schema, "keelson");
    const dry = await cluster.apply(object(second), {
      fieldManager: "keelson",
      force: true,
      dryRun: true,
    });
    const after = await cluster.get(reference);
    if (after.metadata.resourceVersion !== live.metadata.resourceVersion) return undefined;
    return { said, server: text(dry.object) === text(live) ? "same" : "different" };
  } catch (error) {
    if (isApiError(error, "Invalid", "BadRequest", "InternalError")) return undefined;
    throw error;
  }
}

/** The object without what changes by itself: times of managed fields, and the status. */
function text({ status: _status, ...object }: KubernetesObject): string {
  const managedFields = (object.metadata.managedFields ?? [])
    .map(({ time: _time, ...entry }) => JSON.stringify(entry))
    .sort();
  const { resourceVersion: _version, generation: _generation, ...metadata } = object.metadata;
  return JSON.stringify({ ...object, metadata: { ...metadata, managedFields } });
}
