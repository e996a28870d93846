import { expect, it } from "vitest";
import { clusterOver } from "../../cluster/index.ts";
import { fieldAt } from "../../json/index.ts";
import { openSandbox } from "../create-sandbox.ts";
import { InProcessTransport } from "../in-process-transport.ts";

it("counts no longer what was deleted, and takes as many again", async () => {
  const sandbox = openSandbox({ workloads: false });
  const cluster = clusterOver(new InProcessTransport(sandbox));
  const by = { fieldManager: "test" };
  const map = (name: string): Parameters<typeof cluster.apply>[0] => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: "default" },
  });
  const reference = { apiVersion: "v1", kind: "ResourceQuota", namespace: "default", name: "q" };
  const used = async (): Promise<unknown> =>
    fieldAt(await cluster.find(reference), "status", "used", "count/configmaps");
  const own = (await cluster.list(map(""), { namespace: "default" })).items.length;
  await cluster.apply(
    {
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata: { name: "q", namespace: "default" },
      spec: { hard: { "count/configmaps": String(own + 1) } },
    },
    by,
  );
  await expect.poll(used).toBe(String(own));
  await cluster.apply(map("a"), by);
  await expect(cluster.apply(map("b"), by)).rejects.toThrow("cannot patch configmaps default/b");
  await cluster.delete({ ...reference, kind: "ConfigMap", name: "a" });
  await expect.poll(used).toBe(String(own));
  await cluster.apply(map("b"), by);
  expect(await used()).toBe(String(own + 1));
  sandbox.close();
});
