import { describe, expect, it } from "vitest";
import { clusterOver } from "../cluster/index.ts";
import { ScriptedTransport } from "../../test/scripted-transport.ts";
import { observeLive } from "./observe-live.ts";
import { type ClusterReads, readOnce } from "./read-once.ts";

const discovery = (items: readonly unknown[]): unknown => ({
  kind: "APIGroupDiscoveryList",
  items,
});
const core = discovery([
  {
    metadata: { name: "" },
    versions: [
      {
        version: "v1",
        resources: [
          {
            resource: "configmaps",
            responseKind: { kind: "ConfigMap" },
            scope: "Namespaced",
            verbs: ["list"],
          },
        ],
      },
    ],
  },
]);
const wanted = ["a", "b"].map((name) => ({ group: "", kind: "ConfigMap", namespace: "x", name }));
const likely = { apiVersion: "v1", kind: "ConfigMap", namespace: "x" };

const list = "GET /api/v1/namespaces/x/configmaps?limit=500";

const absentStatus = {
  kind: "Status",
  reason: "NotFound",
  code: 404,
  details: { name: "b", kind: "configmaps" },
};

describe("what one plan reads", () => {
  const world = (
    status = 200,
  ): { reads: ClusterReads; asked: () => readonly string[]; transport: ScriptedTransport } => {
    const transport = new ScriptedTransport(({ path }) => {
      if (path === "/api") return { json: core };
      if (path === "/apis") return { json: discovery([]) };
      const found = {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "a", namespace: "x" },
      };
      if (path.endsWith("/configmaps"))
        return { status, json: { kind: "ConfigMapList", metadata: {}, items: [found] } };
      return path.endsWith("/a") ? { json: found } : { status: 404, json: absentStatus };
    });
    const asked = (): readonly string[] => transport.log.filter((line) => line.includes("/v1/"));
    return { transport, reads: readOnce(clusterOver(transport)), asked };
  };

  it("is begun while the input is read, and read once", async () => {
    const { reads, asked } = world();
    await reads.begin([likely, likely]);
    expect(asked()).toEqual([list]);
    expect([...(await observeLive(reads, wanted)).live.keys()]).toHaveLength(1);
    await observeLive(reads, wanted);
    expect(await reads.find({ ...likely, name: "a" })).toMatchObject({ metadata: { name: "a" } });
    expect(await reads.find({ ...likely, name: "b" })).toBeUndefined();
    expect(asked()).toEqual([list]);
  });

  it("is not harmed by a wrong guess", async () => {
    const { reads, asked } = world();
    await reads.begin([{ apiVersion: "v1", kind: "Nonsense", namespace: undefined }]);
    expect(asked()).toEqual([]);
    expect((await observeLive(reads, wanted)).live.size).toBe(1);
  });

  it("is single objects where lists are forbidden", async () => {
    const { reads, asked } = world(403);
    await reads.begin([likely]);
    expect((await observeLive(reads, wanted)).live.size).toBe(1);
    await observeLive(reads, wanted);
    expect(asked()).toEqual([
      list,
      "GET /api/v1/namespaces/x/configmaps/a",
      "GET /api/v1/namespaces/x/configmaps/b",
    ]);
  });

  it("is asked once by the same dry run", async () => {
    const { reads, asked } = world();
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "x" } };
    const options = { fieldManager: "m", dryRun: true, force: true };
    await Promise.all([reads.apply(object, options), reads.apply({ ...object }, { ...options })]);
    expect(asked()).toHaveLength(1);
    await reads.apply(object, { ...options, force: false });
    expect(asked()).toHaveLength(2);
  });
});
