import { describe, expect, it } from "vitest";
import { clusterOver } from "../cluster.ts";
import {
  ScriptedTransport,
  scriptedDiscovery,
  scriptedTiming,
} from "../../../test/scripted-transport.ts";
import type { ScriptedAnswer } from "../../../test/scripted-transport.ts";
import { ConnectionError } from "../transport/connection-error.ts";

const kind = { apiVersion: "v1", kind: "ConfigMap" };

function change(type: string, name: string, resourceVersion: string) {
  return { type, object: { ...kind, metadata: { name, resourceVersion } } };
}

function bookmark(resourceVersion: string, end = false) {
  const annotations = end ? { "k8s.io/initial-events-end": "true" } : {};
  return { type: "BOOKMARK", object: { ...kind, metadata: { resourceVersion, annotations } } };
}

const gone = { type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired" } };
const lost = new ConnectionError("reset", { summary: "lost" });

/** Plays one answer for each watch or list, and gives what was seen and asked up to `most` events. */
async function watch(answers: readonly ScriptedAnswer[], most: number) {
  const { timing, delays } = scriptedTiming();
  let number = 0;
  const transport = new ScriptedTransport(
    (request) => scriptedDiscovery(request) ?? answers[number++] ?? { lines: [] },
  );
  const seen: string[] = [];
  const troubles: unknown[] = [];
  const cluster = clusterOver(transport, { timing });
  for await (const event of cluster.watch(kind, { onTrouble: (error) => troubles.push(error) })) {
    if (event.kind === "snapshot")
      seen.push(`snapshot ${event.objects.map(({ metadata }) => metadata.name).join(" ")}`.trim());
    else
      seen.push(
        event.kind === "bookmark"
          ? "bookmark"
          : `${event.kind} ${event.object.metadata.name ?? ""}`,
      );
    if (seen.length === most) break;
  }
  const asked = transport.log
    .slice(2)
    .map((line) =>
      line.replaceAll(
        /allowWatchBookmarks=true&|&?timeoutSeconds=\d+&?|&?resourceVersionMatch=NotOlderThan/g,
        "",
      ),
    );
  return { seen, asked, delays, troubles };
}

describe("a watch", () => {
  it("goes on after the last change or bookmark when the server ends it", async () => {
    const { seen, asked, delays } = await watch(
      [
        { lines: [change("ADDED", "a", "1"), bookmark("5", true), change("ADDED", "b", "6")] },
        { lines: [bookmark("9")] },
        { lines: [change("DELETED", "a", "10")] },
      ],
      4,
    );
    expect(seen).toEqual(["snapshot a", "added b", "bookmark", "deleted a"]);
    expect(asked).toEqual([
      "GET /api/v1/configmaps?watch=true&sendInitialEvents=true",
      "GET /api/v1/configmaps?watch=true&resourceVersion=6",
      "GET /api/v1/configmaps?watch=true&resourceVersion=9",
    ]);
    expect(delays).toEqual([]);
  });

  it("goes on after a lost connection, and tells of it", async () => {
    const { seen, asked, troubles } = await watch(
      [
        { lines: [bookmark("5", true), change("ADDED", "a", "6"), lost] },
        { lines: [change("MODIFIED", "a", "7")] },
      ],
      3,
    );
    expect(seen).toEqual(["snapshot", "added a", "modified a"]);
    expect(asked.at(-1)).toBe("GET /api/v1/configmaps?watch=true&resourceVersion=6");
    expect(troubles).toEqual([lost]);
  });

  it("begins anew when its place is no longer known", async () => {
    const { seen, asked } = await watch(
      [
        { lines: [bookmark("5", true), gone] },
        { lines: [change("ADDED", "b", "8"), bookmark("9", true)] },
      ],
      2,
    );
    expect(seen).toEqual(["snapshot", "snapshot b"]);
    expect(asked.at(-1)).toBe("GET /api/v1/configmaps?watch=true&sendInitialEvents=true");
  });

  it("lists first where the server cannot send what exists within the watch", async () => {
    const { seen, asked } = await watch(
      [
        { status: 422, json: { kind: "Status", code: 422, reason: "Invalid" } },
        {
          json: {
            kind: "ConfigMapList",
            metadata: { resourceVersion: "3" },
            items: [{ metadata: { name: "a" } }],
          },
        },
        { lines: [change("ADDED", "b", "4")] },
      ],
      2,
    );
    expect(seen).toEqual(["snapshot a", "added b"]);
    expect(asked.slice(1)).toEqual([
      "GET /api/v1/configmaps?limit=500",
      "GET /api/v1/configmaps?watch=true&resourceVersion=3",
    ]);
  });

  it("does not ask without pause when the server ends it at once", async () => {
    const { delays } = await watch(
      [
        { lines: [bookmark("5", true)] },
        { lines: [] },
        { lines: [] },
        { lines: [] },
        { lines: [change("ADDED", "b", "8")] },
      ],
      2,
    );
    expect(delays).toEqual([100, 200, 400]);
  });

  it("ends when the client is closed", async () => {
    const closed = new ConnectionError("closed", { summary: "closed" });
    const { seen } = await watch([{ lines: [bookmark("5", true), closed] }], 9);
    expect(seen).toEqual(["snapshot"]);
  });

  it("fails when it never worked", async () => {
    const forbidden = { status: 403, json: { kind: "Status", code: 403, reason: "Forbidden" } };
    await expect(watch([forbidden], 1)).rejects.toThrow("may not watch configmaps");
  });
});
