import { describe, expect, it } from "vitest";
import { clusterOver } from "../cluster/index.ts";
import { ScriptedTransport } from "../cluster/scripted-transport.ts";
import { ListsAhead } from "./lists-ahead.ts";
import { observeLive } from "./observe-live.ts";

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

describe("lists that are begun while the input is read", () => {
  const world = (
    status = 200,
  ): { transport: ScriptedTransport; lists: () => readonly string[] } => {
    const transport = new ScriptedTransport(({ path }) => {
      if (path === "/api") return { json: core };
      if (path === "/apis") return { json: discovery([]) };
      return { status, json: { items: [{ metadata: { name: "a", namespace: "x" } }] } };
    });
    const lists = (): readonly string[] => transport.log.filter((line) => line.includes("/v1/"));
    return { transport, lists };
  };

  it("are used once, and then asked for again", async () => {
    const { transport, lists } = world();
    const cluster = clusterOver(transport);
    const ahead = new ListsAhead(cluster);
    await ahead.begin([likely, likely]);
    const list = "GET /api/v1/namespaces/x/configmaps?limit=500";
    expect(lists()).toEqual([list]);
    expect([...(await observeLive(cluster, wanted, { ahead })).live.keys()]).toHaveLength(1);
    expect(lists()).toEqual([list]);
    await observeLive(cluster, wanted, { ahead });
    expect(lists()).toEqual([list, list]);
  });

  it("stay for one more look where that follows at once", async () => {
    const { transport, lists } = world();
    const cluster = clusterOver(transport);
    const ahead = new ListsAhead(cluster);
    await observeLive(cluster, wanted, { ahead, keeps: true });
    expect((await observeLive(cluster, wanted, { ahead })).live.size).toBe(1);
    expect(lists()).toHaveLength(1);
  });

  it("do no harm if they were guessed wrong", async () => {
    const { transport, lists } = world();
    const cluster = clusterOver(transport);
    const ahead = new ListsAhead(cluster);
    await ahead.begin([{ apiVersion: "v1", kind: "Nonsense", namespace: undefined }]);
    expect(lists()).toEqual([]);
    expect((await observeLive(cluster, wanted, { ahead })).live.size).toBe(1);
  });

  it("fail where they are used, not before", async () => {
    const { transport } = world(403);
    const cluster = clusterOver(transport);
    const ahead = new ListsAhead(cluster);
    await ahead.begin([likely]);
    await expect(observeLive(cluster, wanted, { ahead })).rejects.toThrow(/get configmaps/i);
  });
});
