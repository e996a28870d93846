import { expect, it } from "vitest";
import { Store } from "./store.ts";

const object = (
  name: string,
  namespace = "a",
): { apiVersion: string; kind: string; metadata: { name: string; namespace: string } } => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace },
});

it("lists by namespace and name, whatever the order of writing", () => {
  const store = new Store();
  for (const [name, namespace] of [
    ["b", "y"],
    ["a", "y"],
    ["c", "x"],
  ] as const)
    store.put("/configmaps", object(name, namespace));
  expect(store.list("/configmaps").map(({ name }) => name)).toEqual(["c", "a", "b"]);
  expect(store.list("/configmaps", "y").map(({ name }) => name)).toEqual(["a", "b"]);
  store.delete("/configmaps", "y", "a");
  expect(store.list("/configmaps").map(({ name }) => name)).toEqual(["c", "b"]);
  expect(store.count("/configmaps")).toBe(2);
});

it("counts revisions and forgets old changes", () => {
  const store = new Store();
  const first = store.put("/configmaps", object("a"));
  const second = store.put("/configmaps", object("a"));
  expect(second.revision).toBe(first.revision + 1);
  expect(second.object.metadata.resourceVersion).toBe(String(second.revision));
  expect(store.history.since(first.revision).map(({ type }) => type)).toEqual(["MODIFIED"]);
  store.history.compact(second.revision);
  expect(store.history.since(0)).toEqual([]);
  expect(store.history.compactedRevision).toBe(second.revision);
});

it("delivers what a listener writes after what it saw", () => {
  const store = new Store();
  const seen: string[] = [];
  store.subscribe(({ stored }) => {
    if (stored.name === "a") store.put("/configmaps", object("b"));
  });
  store.subscribe(({ stored }) => void seen.push(stored.name));
  store.put("/configmaps", object("a"));
  expect(seen).toEqual(["a", "b"]);
});
