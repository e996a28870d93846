import { describe, expect, it } from "vitest";
import { openClusterView } from "../../src/cluster/index.ts";
import type { WatchEvent } from "../../src/cluster/index.ts";
import { configMap, configMapKind, failureOf, useTestCluster } from "./test-cluster.ts";

const test = useTestCluster();

/** `added one`, `bookmark`: an event as the tests write it. */
function line(event: WatchEvent): string {
  if (event.kind === "bookmark") return event.kind;
  if (event.kind === "snapshot")
    return `snapshot ${event.objects.map(({ metadata }) => metadata.name).join(" ")}`.trim();
  return `${event.kind} ${event.object.metadata.name ?? ""}`;
}

function options(name: string): { namespace: string; labelSelector: string } {
  return { namespace: test.namespace, labelSelector: `watch=${name}` };
}

function labelled(watch: string, name: string, data: Record<string, string> = {}) {
  const object = configMap(name, data);
  return { ...object, metadata: { ...object.metadata, labels: { watch } } };
}

describe("a watch", () => {
  it("begins with what exists and goes on with each change", async () => {
    await test.cluster.create(labelled("first", "one"));
    const seen: string[] = [];
    for await (const event of test.cluster.watch(configMapKind, options("first"))) {
      if (event.kind === "bookmark") continue;
      seen.push(line(event));
      if (seen.length === 1) await test.cluster.create(labelled("first", "two"));
      if (seen.length === 2)
        await test.cluster.patch({ ...configMapKind, name: "two" }, "merge", { data: { a: "b" } });
      if (seen.length === 3) await test.cluster.delete({ ...configMapKind, name: "one" });
      if (seen.length === 4) break;
    }
    expect(seen).toEqual(["snapshot one", "added two", "modified two", "deleted one"]);
  });

  it("goes on from a resource version", async () => {
    const { resourceVersion } = await test.cluster.list(configMapKind, {
      namespace: test.namespace,
    });
    await test.cluster.create(labelled("later", "three"));
    for await (const event of test.cluster.watch(configMapKind, {
      ...options("later"),
      resourceVersion,
    })) {
      expect(line(event)).toBe("added three");
      break;
    }
  });

  it("ends without an error when it is told to", async () => {
    const stop = new AbortController();
    const seen: string[] = [];
    for await (const event of test.cluster.watch(configMapKind, {
      ...options("none"),
      signal: stop.signal,
    })) {
      seen.push(line(event));
      stop.abort();
    }
    expect(seen).toEqual(["snapshot"]);
  });

  it("fails when it never worked", async () => {
    const events = test.cluster.watch({ apiVersion: "v1", kind: "Nothing" });
    const first = events[Symbol.asyncIterator]().next();
    expect(await failureOf(first)).toContain("error[cluster.unknown-kind]");
  });
});

describe("a view", () => {
  it("keeps a copy and tells of changes", async () => {
    await test.cluster.create(labelled("copy", "a", { x: "1" }));
    const view = openClusterView(test.cluster);
    const copy = view.use(configMapKind, options("copy"));
    const seen: string[] = [];
    await copy.synced;
    copy.subscribe(({ kind, object }) => seen.push(`${kind} ${object.metadata.name ?? ""}`), {
      replay: true,
    });

    await test.cluster.create(labelled("copy", "b"));
    await test.cluster.patch({ ...configMapKind, name: "a" }, "merge", { data: { x: "2" } });
    await test.cluster.delete({ ...configMapKind, name: "b" });

    await expect.poll(() => seen).toEqual(["added a", "added b", "updated a", "deleted b"]);
    const known = copy.get({
      group: "",
      kind: "ConfigMap",
      namespace: test.namespace,
      name: "a",
    });
    expect(known).toMatchObject({ ...configMapKind, data: { x: "2" } });
    expect(known?.metadata.managedFields).toBeUndefined();
    expect([...copy.objects()]).toHaveLength(1);
    await view.close();
  });

  it("has a bound", async () => {
    for (const name of ["c", "d", "e"]) await test.cluster.create(labelled("bound", name));
    const view = openClusterView(test.cluster, { mostObjects: 2 });
    const copy = view.use(configMapKind, options("bound"));
    expect(await failureOf(copy.synced)).toContain("error[cluster.cache-full]");
    await view.close();
  });
});
