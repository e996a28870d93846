import { describe, expect, it } from "vitest";
import { ApiError, type Cluster, clusterOver } from "../cluster/index.ts";
import { openSandbox } from "../sandbox/create-sandbox.ts";
import { InProcessTransport } from "../sandbox/in-process-transport.ts";
import { identityKey, type KubernetesObject, type ObjectIdentity } from "../objects/index.ts";
import { ensureDefinition, ensureGroupDefinition } from "./ensure-group-definition.ts";
import { groupDefinition } from "./group-definition.ts";
import { groupApiVersion, groupKind } from "./group-names.ts";
import { deleteInventory, loadInventory, saveInventory } from "./inventory-store.ts";
import type { ResourceStatus } from "./inventory.ts";

const entries = ["a", "b", "c"].map((name) => ({
  group: "",
  kind: "ConfigMap",
  namespace: "default",
  name,
}));

it("goes on in further groups, also when its name is longer than a label", async () => {
  const sandbox = openSandbox({ workloads: false });
  const cluster = clusterOver(new InProcessTransport(sandbox));
  const reference = { name: "n".repeat(100), namespace: "default", id: "id", source: "test" };
  await ensureGroupDefinition(cluster);
  const empty = await loadInventory(cluster, reference);
  await saveInventory(cluster, empty, entries, new Map(), { largestPartBytes: 600 });
  const { parts } = await loadInventory(cluster, reference);
  expect(parts.map(({ name }) => name.replace(/^n+/, "n"))).toEqual(["n", "n-1"]);
  expect(parts.flatMap((part) => part.entries)).toEqual(entries);

  // What runs have changed stands in the first group alone.
  const inventory = await loadInventory(cluster, reference);
  await saveInventory(cluster, { ...inventory, history: "[]" }, entries, new Map());
  const again = await loadInventory(cluster, reference);
  expect(again.history).toBe("[]");
  expect(again.parts.map(({ history }) => history)).toEqual(["[]", undefined]);
  expect(again.parts.map((part) => part.historyAnnotation)).toEqual([undefined, undefined]);
  // Who writes it next without a word about it keeps it.
  await saveInventory(cluster, again, entries.slice(1), new Map());
  expect((await loadInventory(cluster, reference)).history).toBe("[]");

  // Whoever may not list finds them one by one.
  const refusal = new ApiError(
    { verb: "list", resource: "resourcegroups" },
    { code: 403, reason: "Forbidden", message: "no" },
  );
  const withoutLists = { ...cluster, list: () => Promise.reject(refusal) };
  expect((await loadInventory(withoutLists, reference)).parts).toEqual(
    (await loadInventory(cluster, reference)).parts,
  );
  sandbox.close();
});

it("does not believe a list that lacks some of its parts", async () => {
  const sandbox = openSandbox({ workloads: false });
  const cluster = clusterOver(new InProcessTransport(sandbox));
  const reference = { name: "shop", namespace: "default", id: "id", source: "test" };
  await ensureGroupDefinition(cluster);
  const empty = await loadInventory(cluster, reference);
  await saveInventory(cluster, empty, entries, new Map(), { largestPartBytes: 300 });
  const whole = await loadInventory(cluster, reference);
  expect(whole.parts.map(({ name }) => name)).toEqual(["shop", "shop-1", "shop-2"]);
  for (const left of [0, 1]) {
    const lying = {
      ...cluster,
      list: async (...args: Parameters<Cluster["list"]>) => {
        const list = await cluster.list(...args);
        return { ...list, items: list.items.slice(0, left) };
      },
    };
    expect((await loadInventory(lying, reference)).parts).toEqual(whole.parts);
  }

  // A part that is named and gone is gone; what is left no longer names it.
  await cluster.delete({
    apiVersion: groupApiVersion,
    kind: groupKind,
    namespace: "default",
    name: "shop-2",
  });
  const shorter = await loadInventory(cluster, reference);
  expect(shorter.parts.map(({ name }) => name)).toEqual(["shop", "shop-1"]);
  const saved = await saveInventory(cluster, shorter, entries.slice(0, 1), new Map());
  expect(saved.parts.map(({ name, continuedBy }) => [name, continuedBy])).toEqual([
    ["shop", undefined],
  ]);
  expect((await loadInventory(cluster, reference)).parts[0]?.continuedBy).toBe(undefined);
  sandbox.close();
});

it("finds parts of any number where they may not be listed, also of an inventory that does not name them", async () => {
  const sandbox = openSandbox({ workloads: false });
  const cluster = clusterOver(new InProcessTransport(sandbox));
  const reference = { name: "shop", namespace: "default", id: "id", source: "test" };
  await ensureGroupDefinition(cluster);
  const many = Array.from({ length: 45 }, (_, index) => ({
    group: "",
    kind: "ConfigMap",
    namespace: "default",
    name: `map-${index}`,
  }));
  const empty = await loadInventory(cluster, reference);
  await saveInventory(cluster, empty, many, new Map(), { largestPartBytes: 300 });
  const whole = await loadInventory(cluster, reference);
  expect(whole.parts).toHaveLength(45);
  const refusal = new ApiError(
    { verb: "list", resource: "resourcegroups" },
    { code: 403, reason: "Forbidden", message: "no" },
  );
  let asked = 0;
  const withoutLists: Cluster = {
    ...cluster,
    list: () => Promise.reject(refusal),
    find: (...args) => {
      asked++;
      return cluster.find(...args);
    },
  };
  expect((await loadInventory(withoutLists, reference)).parts).toEqual(whole.parts);
  // What is named is all that is asked for.
  expect(asked).toBe(45);

  // As a Keelson left it that did not name them yet.
  const { store } = sandbox.context;
  const first = store.get("kpt.dev/resourcegroups", "default", "shop");
  if (first === undefined) throw new Error("nothing was saved");
  const { annotations: _none, ...metadata } = first.object.metadata;
  store.put("kpt.dev/resourcegroups", { ...first.object, metadata });
  const names = (await loadInventory(withoutLists, reference)).parts.map(({ name }) => name);
  expect(names).toEqual(whole.parts.map(({ name }) => name));
  sandbox.close();
});

it("keeps its history in an annotation where the kind's definition is somebody else's", async () => {
  const sandbox = openSandbox({ workloads: false });
  const cluster = clusterOver(new InProcessTransport(sandbox));
  const reference = { name: "told", namespace: "default", id: "id", source: "test" };
  await ensureDefinition(cluster, strictDefinition());
  await ensureGroupDefinition(cluster);
  const statuses = new Map(entries.map((entry) => [identityKey(entry), statusOf(entry)]));
  for (const history of ["[]", "[1]"]) {
    const inventory = await loadInventory(cluster, reference);
    await saveInventory(cluster, { ...inventory, history }, entries, statuses);
    const again = await loadInventory(cluster, reference);
    expect(again.history).toBe(history);
    expect(again.parts[0]?.historyAnnotation).toBe(history);
    expect([...again.statuses.values()]).toEqual(entries.map(statusOf));
    // Nothing new, nothing written.
    await saveInventory(cluster, again, entries, statuses);
    expect((await loadInventory(cluster, reference)).version).toBe(again.version);
  }
  sandbox.close();
});

it("waits until a new kind answers, whoever has defined it", async () => {
  const sandbox = openSandbox({ workloads: false });
  const cluster = clusterOver(new InProcessTransport(sandbox));
  let refusals = 2;
  const late: typeof cluster = {
    ...cluster,
    // As a server does whose definitions are established a moment before they are served.
    listPages: (kind, options) => {
      if (refusals-- <= 0) return cluster.listPages(kind, options);
      throw new ApiError(
        { verb: "list", resource: "resourcegroups" },
        {
          code: 404,
          reason: "NotFound",
          message: "the server could not find the requested resource",
        },
      );
    },
  };
  await ensureGroupDefinition(late);
  expect(refusals).toBe(-1);

  // Somebody else has written it and it is not established: that is waited for, and nothing is written.
  const name = groupDefinition.metadata.name ?? "";
  const reference = { apiVersion: groupDefinition.apiVersion, kind: groupDefinition.kind, name };
  const established = await cluster.get(reference);
  refusals = 1;
  let looks = 3;
  const unfinished: typeof cluster = {
    ...late,
    find: async () => (looks-- > 0 ? { ...established, status: {} } : established),
    apply: () => Promise.reject(new Error("nothing is to be written")),
  };
  await ensureGroupDefinition(unfinished);
  expect([refusals, looks]).toEqual([-1, -1]);
  sandbox.close();
});

it.each([
  ["spec", { resources: "none" }, "spec.resources is not a list of objects"],
  ["spec", { resources: ["a"] }, "spec.resources is not a list of objects"],
  ["status", { resourceStatuses: {} }, "status.resourceStatuses is not a list of objects"],
])("says where a group was edited: %s %j", async (part, value, expected) => {
  const sandbox = openSandbox({ workloads: false });
  const cluster = clusterOver(new InProcessTransport(sandbox));
  await ensureGroupDefinition(cluster);
  const identity = {
    apiVersion: groupApiVersion,
    kind: groupKind,
    namespace: "default",
    name: "edited",
  };
  const metadata = { name: "edited", namespace: "default" };
  await cluster.create({ ...identity, metadata });
  await cluster.patch(
    identity,
    "merge",
    { [part]: value },
    part === "status" ? { subresource: "status" } : {},
  );
  const reference = { ...metadata, id: "id", source: "test" };
  await expect(loadInventory(cluster, reference)).rejects.toMatchObject({
    diagnostics: [
      {
        code: "live.unreadable-group",
        summary: `the ResourceGroup default/edited cannot be read: ${expected}`,
      },
    ],
  });
  sandbox.close();
});

function statusOf(entry: ObjectIdentity): ResourceStatus {
  return {
    ...entry,
    status: "Current",
    strategy: "Apply",
    actuation: "Succeeded",
    reconcile: "Succeeded",
  };
}

/** A definition with a schema for every field, as kpt installs one. */
function strictDefinition(): KubernetesObject {
  const text = { type: "string" };
  const identity = { group: text, kind: text, namespace: text, name: text };
  const listOf = (properties: object): object => ({
    type: "array",
    items: { type: "object", properties },
  });
  const status = { ...identity, status: text, strategy: text, actuation: text, reconcile: text };
  const condition = { type: text, status: text, reason: text, lastTransitionTime: text };
  const schema = {
    type: "object",
    properties: {
      spec: { type: "object", properties: { resources: listOf(identity) } },
      status: {
        type: "object",
        properties: { conditions: listOf(condition), resourceStatuses: listOf(status) },
      },
    },
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "resourcegroups.kpt.dev" },
    spec: {
      group: "kpt.dev",
      scope: "Namespaced",
      names: { kind: groupKind, plural: "resourcegroups" },
      versions: [
        {
          name: "v1alpha1",
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: schema },
        },
      ],
    },
  };
}

describe("a ResourceGroup that somebody else writes meanwhile", () => {
  const reference = { name: "both", namespace: "default", id: "id", source: "test" };
  const group = { apiVersion: groupApiVersion, kind: groupKind, namespace: "default" };
  const entryNamed = (name: string): ObjectIdentity => ({
    group: "",
    kind: "ConfigMap",
    namespace: "default",
    name,
  });

  async function open(): Promise<{ readonly cluster: Cluster; readonly close: () => void }> {
    const sandbox = openSandbox({ workloads: false });
    const cluster = clusterOver(new InProcessTransport(sandbox));
    await ensureGroupDefinition(cluster);
    return {
      cluster,
      close: () => {
        sandbox.close();
      },
    };
  }

  const namesIn = async (cluster: Cluster): Promise<readonly string[]> =>
    (await loadInventory(cluster, reference)).parts.flatMap((part) =>
      part.entries.map(({ name }) => name),
    );
  const add = (cluster: Cluster, part: string, name: string): Promise<unknown> =>
    cluster.patch({ ...group, name: part }, "json", [
      { op: "add", path: "/spec/resources/-", value: { ...entryNamed(name) } },
    ]);

  it("keeps the entries that were added, and loses those that left", async () => {
    const { cluster, close } = await open();
    const empty = await loadInventory(cluster, reference);
    const saved = await saveInventory(
      cluster,
      empty,
      [entryNamed("stays"), entryNamed("leaves")],
      undefined,
    );
    await add(cluster, "both", "added");
    const after = await saveInventory(
      cluster,
      saved,
      [entryNamed("stays"), entryNamed("new")],
      undefined,
    );
    expect(await namesIn(cluster)).toEqual(["stays", "new", "added"]);
    expect(after.parts[0]?.entries.map(({ name }) => name)).toEqual(["stays", "new", "added"]);
    // What is known now is the newest version: nothing conflicts any more.
    const statuses = new Map(entries.map((entry) => [identityKey(entry), statusOf(entry)]));
    const told = await saveInventory(cluster, after, [entryNamed("stays")], statuses);
    expect(await namesIn(cluster)).toEqual(["stays"]);
    await deleteInventory(cluster, told);
    expect(await cluster.find({ ...group, name: "both" })).toBeUndefined();
    close();
  });

  it("is not deleted with an entry that was added", async () => {
    const { cluster, close } = await open();
    const empty = await loadInventory(cluster, reference);
    const saved = await saveInventory(cluster, empty, [entryNamed("gone")], undefined);
    await add(cluster, "both", "added");
    await deleteInventory(cluster, saved);
    expect(await namesIn(cluster)).toEqual(["added"]);
    close();
  });

  it("is made again when it was deleted", async () => {
    const { cluster, close } = await open();
    const empty = await loadInventory(cluster, reference);
    const saved = await saveInventory(cluster, empty, [entryNamed("a")], undefined);
    await cluster.delete({ ...group, name: "both" });
    await saveInventory(cluster, saved, [entryNamed("a"), entryNamed("b")], undefined);
    expect(await namesIn(cluster)).toEqual(["a", "b"]);
    close();
  });
});
