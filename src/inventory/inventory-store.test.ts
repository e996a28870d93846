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

  // Whoever may not list finds them one by one.
  const refusal = new ApiError(
    { verb: "list", resource: "resourcegroups" },
    { code: 403, reason: "Forbidden", message: "no" },
  );
  const withoutLists = { ...cluster, list: () => Promise.reject(refusal) };
  expect((await loadInventory(withoutLists, reference)).parts).toEqual(parts);
  sandbox.close();
});
