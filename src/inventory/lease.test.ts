import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { clusterOver } from "../cluster/index.ts";
import type { Cluster } from "../cluster/index.ts";
import { openSandbox, type Sandbox } from "../sandbox/create-sandbox.ts";
import { InProcessTransport } from "../sandbox/in-process-transport.ts";
import { takeLease } from "./lease.ts";

const group = { name: "shop", namespace: "default", id: "shop-default", source: "test" };
const reference = {
  apiVersion: "coordination.k8s.io/v1",
  kind: "Lease",
  namespace: "default",
  name: "shop",
};

describe("the Lease of an inventory", () => {
  let sandbox: Sandbox;
  let cluster: Cluster;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
    sandbox = openSandbox({ workloads: false });
    cluster = clusterOver(new InProcessTransport(sandbox));
  });
  afterEach(() => {
    sandbox.close();
    vi.useRealTimers();
  });

  const take = (holder: string): ReturnType<typeof takeLease> =>
    takeLease(cluster, group, { holder, waitMs: 0 });
  const change = async (spec: object, annotations = {}): Promise<void> => {
    const lease = await cluster.get(reference);
    const next = { ...lease, metadata: { ...lease.metadata, annotations } };
    await cluster.update({
      ...next,
      spec: { ...(lease["spec"] as object), ...spec },
    });
  };

  it("is held by one, who is named to the others", async () => {
    const held = await take("anna");
    await expect(take("bert")).rejects.toThrow(/default\/shop: anna holds its Lease/);
    // The same process may run twice, with the same name.
    await expect(take("anna")).rejects.toMatchObject({
      diagnostics: [{ code: "live.locked" }],
    });
    await held.release();
    expect(await cluster.find(reference)).toBeUndefined();
    await (await take("bert")).release();
  });

  it("is taken over when it has expired", async () => {
    await take("anna");
    vi.setSystemTime(Date.now() + 31_000);
    const held = await take("bert");
    expect((await cluster.get(reference))["spec"]).toMatchObject({ holderIdentity: "bert" });
    await held.release();
  });

  it("is renewed, and outlives a renewal whose answer was lost", async () => {
    const held = await take("anna");
    await cluster.patch(reference, "merge", { metadata: { labels: { a: "b" } } });
    await vi.advanceTimersByTimeAsync(10_000);
    await held.release();
    expect(held.lost.aborted).toBe(false);
    expect(await cluster.find(reference)).toBeUndefined();
  });

  it("is lost to whoever took it over, and then left alone", async () => {
    const held = await take("anna");
    await change({ holderIdentity: "bert" });
    await vi.advanceTimersByTimeAsync(10_000);
    await held.release();
    expect(held.lost.aborted).toBe(true);
    expect((await cluster.get(reference))["spec"]).toMatchObject({ holderIdentity: "bert" });
  });
});
