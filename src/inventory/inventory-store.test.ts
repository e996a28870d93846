import { expect, it } from "vitest";
import { ApiError, clusterOver } from "../cluster/index.ts";
import { openSandbox } from "../sandbox/create-sandbox.ts";
import { InProcessTransport } from "../sandbox/in-process-transport.ts";
import { ensureGroupDefinition } from "./ensure-group-definition.ts";
import { loadInventory, saveInventory } from "./inventory-store.ts";

it("goes on in further groups, also when its name is longer than a label", async () => {
  const sandbox = openSandbox({ workloads: false });
  const cluster = clusterOver(new InProcessTransport(sandbox));
  const reference = { name: "n".repeat(100), namespace: "default", id: "id", source: "test" };
  const entries = ["a", "b", "c"].map((name) => ({
    group: "",
    kind: "ConfigMap",
    namespace: "default",
    name,
  }));
  await ensureGroupDefinition(cluster);
  const empty = await loadInventory(cluster, reference);
  await saveInventory(cluster, empty, entries, new Map(), { largestPartBytes: 600 });
  const { parts } = await loadInventory(cluster, reference);
  expect(parts.map(({ name }) => name.replace(/^n+/, "n"))).toEqual(["n", "n-1"]);
  expect(parts.flatMap((part) => part.entries)).toEqual(entries);

  // What runs have changed stands on the first group alone.
  const inventory = await loadInventory(cluster, reference);
  await saveInventory(cluster, { ...inventory, history: "[]" }, entries, new Map());
  const again = await loadInventory(cluster, reference);
  expect(again.history).toBe("[]");
  expect(again.parts.map(({ history }) => history)).toEqual(["[]", undefined]);
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
