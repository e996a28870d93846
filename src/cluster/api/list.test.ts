import { describe, expect, it } from "vitest";
import { clusterOver } from "../cluster.ts";
import { ScriptedTransport, scriptedDiscovery } from "../../../test/scripted-transport.ts";

const kind = { apiVersion: "v1", kind: "ConfigMap" };
const expired = { status: 410, json: { kind: "Status", code: 410, reason: "Expired" } };

function page(names: readonly string[], next?: string) {
  const items = names.map((name) => ({ metadata: { name } }));
  return {
    json: { kind: "ConfigMapList", metadata: { resourceVersion: "9", continue: next }, items },
  };
}

describe("a list in pages", () => {
  it("goes on where the server says, and begins anew when its snapshot expires", async () => {
    const transport = new ScriptedTransport((request) => {
      const found = scriptedDiscovery(request);
      if (found !== undefined) return found;
      if (request.query?.["limit"] === undefined) return page(["a", "b", "c", "d"]);
      if (request.query["continue"] === undefined) return page(["a", "b"], "two");
      return request.query["continue"] === "two" ? page(["c"], "three") : expired;
    });
    const { items } = await clusterOver(transport).list(kind, { pageSize: 2 });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(["a", "b", "c", "d"]);
    expect(items[0]).toMatchObject(kind);
    expect(transport.log.slice(2)).toEqual([
      "GET /api/v1/configmaps?limit=2",
      "GET /api/v1/configmaps?limit=2&continue=two",
      "GET /api/v1/configmaps?limit=2&continue=three",
      "GET /api/v1/configmaps",
    ]);
  });
});

describe("discovery", () => {
  it("is asked for again when the path of a kind is gone", async () => {
    const transport = new ScriptedTransport((request, number) => {
      if (number > 2) return { json: { kind: "APIGroupDiscoveryList", items: [] } };
      return scriptedDiscovery(request) ?? { status: 404, json: "404 page not found" };
    });
    const cluster = clusterOver(transport);
    await expect(cluster.list(kind)).rejects.toThrow("the API server does not know this path");
    await expect(cluster.list(kind)).rejects.toThrow("the cluster does not serve ConfigMap in v1");
  });

  it("asks older servers group by group, and leaves out groups that are down", async () => {
    const transport = new ScriptedTransport(({ path }) => {
      if (path === "/api") return { json: { kind: "APIVersions", versions: ["v1"] } };
      if (path === "/apis") {
        const versions = ["v1", "v2"].map((version) => ({
          groupVersion: `example.com/${version}`,
        }));
        const broken = [{ groupVersion: "metrics.example.com/v1" }];
        return {
          json: {
            kind: "APIGroupList",
            groups: [{ versions, preferredVersion: versions[1] }, { versions: broken }],
          },
        };
      }
      if (path.startsWith("/apis/metrics")) return { status: 503 };
      const boat = { name: "boats", kind: "Boat", namespaced: true, verbs: ["get"] };
      const status = { name: "boats/status", kind: "Boat", verbs: ["patch"] };
      return { json: { resources: path === "/api/v1" ? [] : [boat, status] } };
    });
    const index = await clusterOver(transport).resources();
    expect(index.all.map(({ kind, version }) => `${kind} ${version}`)).toEqual([
      "Boat v2",
      "Boat v1",
    ]);
    expect(index.named("boat.example.com")).toMatchObject({
      version: "v2",
      namespaced: true,
      subresources: [{ name: "status", verbs: ["patch"] }],
    });
  });
});
