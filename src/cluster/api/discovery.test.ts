import { describe, expect, it } from "vitest";
import { ScriptedTransport } from "../../../test/scripted-transport.ts";
import { systemTiming } from "../timing.ts";
import { DiscoveredResources } from "./discovered-resources.ts";

describe("a group whose server does not answer", () => {
  const index = (
    answers: Readonly<Record<string, unknown>>,
  ): ReturnType<DiscoveredResources["index"]> =>
    new DiscoveredResources(
      new ScriptedTransport(({ path }) => {
        const body = answers[path];
        return body === undefined ? { status: 503 } : { status: 200, json: body };
      }),
      systemTiming,
    ).index();

  it("is told apart from one that is not there, in aggregated discovery", async () => {
    const list = (items: readonly unknown[]): unknown => ({ kind: "APIGroupDiscoveryList", items });
    const { all, unavailableGroups } = await index({
      "/api": list([]),
      "/apis": list([
        { metadata: { name: "down.example" }, versions: [{ version: "v1", freshness: "Stale" }] },
        {
          metadata: { name: "up.example" },
          versions: [
            {
              version: "v1",
              freshness: "Current",
              resources: [
                { resource: "things", responseKind: { kind: "Thing" }, scope: "Namespaced" },
              ],
            },
          ],
        },
      ]),
    });
    expect(all.map(({ kind }) => kind)).toEqual(["Thing"]);
    expect([...unavailableGroups]).toEqual(["down.example"]);
  });

  it("is told apart in discovery group by group", async () => {
    const { all, unavailableGroups } = await index({
      "/api": { kind: "APIVersions", versions: ["v1"] },
      "/api/v1": { resources: [{ name: "pods", kind: "Pod", namespaced: true }] },
      "/apis": {
        kind: "APIGroupList",
        groups: [{ versions: [{ groupVersion: "down.example/v1" }] }],
      },
    });
    expect(all.map(({ kind }) => kind)).toEqual(["Pod"]);
    expect([...unavailableGroups]).toEqual(["down.example"]);
  });
});
