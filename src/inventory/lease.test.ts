import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FaultyTransport } from "../../test/faults/faulty-transport.ts";
import { ManualClock, settled } from "../../test/faults/manual-clock.ts";
import { type Cluster, clusterOver } from "../cluster/index.ts";
import { openSandbox, type Sandbox } from "../sandbox/create-sandbox.ts";
import { InProcessTransport } from "../sandbox/in-process-transport.ts";
import type { HeldLease } from "./held-lease.ts";
import { takeLease, whileHolding } from "./lease.ts";

const group = { name: "shop", namespace: "default", id: "shop-default", source: "test" };
const reference = {
  apiVersion: "coordination.k8s.io/v1",
  kind: "Lease",
  namespace: "default",
  name: "shop",
};
const minuteMs = 60_000;

describe("the Lease of an inventory", () => {
  let sandbox: Sandbox;
  let cluster: Cluster;
  const clocks = { anna: new ManualClock(), bert: new ManualClock() };
  beforeEach(() => {
    for (const name of ["anna", "bert"] as const) clocks[name] = new ManualClock();
    sandbox = openSandbox({ workloads: false });
    cluster = clusterOver(new InProcessTransport(sandbox));
  });
  afterEach(() => {
    sandbox.close();
  });

  const take = (holder: "anna" | "bert", waitMs = 0): Promise<HeldLease> =>
    takeLease(cluster, group, { holder, waitMs, clock: clocks[holder] });
  const holder = async (): Promise<unknown> => {
    const spec = (await cluster.find(reference))?.["spec"] as { readonly holderIdentity: unknown };
    return spec.holderIdentity;
  };
  const refusalOf = (held: HeldLease): Promise<string> =>
    Promise.resolve(held.fence()).then(
      () => "none",
      (error: unknown) => String(error),
    );

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

  it("is taken over when nothing was written into it for its whole duration", async () => {
    await take("anna");
    const taking = take("bert", minuteMs);
    await clocks.bert.pass(29_000);
    expect(await holder()).toBe("anna");
    await clocks.bert.pass(2_000);
    const held = await taking;
    expect(held.isTakenOver).toBe(true);
    expect(await holder()).toBe("bert");
    await held.release();
  });

  it.each([-3_600_000, -60_000, 60_000, 3_600_000])(
    "is not taken from a run that lives, by one whose clock is %i ms off",
    async (skewMs) => {
      clocks.bert.skewMs = skewMs;
      const held = await take("anna");
      const taking = take("bert", 10 * minuteMs);
      for (let second = 0; second < 300; second += 5) {
        await clocks.bert.pass(5_000);
        await clocks.anna.pass(5_000);
      }
      expect(await holder()).toBe("anna");
      expect(held.fence()).toBeUndefined();
      await held.release();
      await clocks.bert.pass(2_000);
      expect((await taking).isTakenOver).toBe(false);
    },
  );

  it("is renewed, and outlives a renewal whose answer was lost", async () => {
    const held = await take("anna");
    await cluster.patch(reference, "merge", { metadata: { labels: { a: "b" } } });
    await clocks.anna.pass(10_000);
    await held.release();
    expect(held.lost.aborted).toBe(false);
    expect(await cluster.find(reference)).toBeUndefined();
  });

  it("is lost to whoever took it over, and then left alone", async () => {
    const held = await take("anna");
    const taking = take("bert", minuteMs);
    await clocks.bert.pass(31_000);
    await taking;
    // It was stopped, and goes on: nothing is written before it has looked.
    clocks.anna.jump(31_000);
    expect(await refusalOf(held)).toContain("bert has it now");
    expect(held.lost.aborted).toBe(true);
    await held.release();
    expect(await holder()).toBe("bert");
  });

  it("is lost to whoever took it over and gave it back", async () => {
    const held = await take("anna");
    const taking = take("bert", minuteMs);
    await clocks.bert.pass(31_000);
    await (await taking).release();
    clocks.anna.jump(31_000);
    expect(await refusalOf(held)).toContain("another run took it over meanwhile");
    expect(await cluster.find(reference)).toBeUndefined();
  });

  it("is lost while a machine sleeps, whose own clock stands still then", async () => {
    const held = await take("anna");
    const taking = take("bert", minuteMs);
    await clocks.bert.pass(31_000);
    await taking;
    clocks.anna.suspend(31_000);
    expect(await refusalOf(held)).toContain("bert has it now");
  });

  it("is still ours after a long stop in which nobody wanted it", async () => {
    const held = await take("anna");
    clocks.anna.jump(3_600_000);
    await held.fence();
    expect(held.lost.aborted).toBe(false);
    expect(held.fence()).toBeUndefined();
    await held.release();
  });

  it("is lost when somebody deleted it, but not with its namespace", async () => {
    const held = await take("anna");
    await cluster.delete(reference);
    await clocks.anna.pass(10_000);
    expect(held.lost.aborted).toBe(true);

    await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "going" } });
    const going = await takeLease(
      cluster,
      { namespace: "going", name: "shop" },
      { holder: "anna", waitMs: 0, clock: clocks.anna },
    );
    await cluster.delete({ apiVersion: "v1", kind: "Namespace", name: "going" });
    await clocks.anna.pass(30_000);
    expect(going.lost.aborted).toBe(false);
    await going.release();
  });

  it("that somebody deletes is noticed two seconds later, before the next write", async () => {
    const held = await take("anna");
    await cluster.delete(reference);
    await take("bert");
    clocks.anna.jump(2_000);
    expect(await refusalOf(held)).toContain("bert has it now");
    expect(await held.release()).toBeUndefined();
  });

  it("that somebody edits so that it ends at once is lost before the next write", async () => {
    const held = await take("anna");
    await cluster.patch(reference, "merge", { spec: { leaseDurationSeconds: 1 } });
    const taking = take("bert", minuteMs);
    await clocks.bert.pass(2_000);
    await taking;
    clocks.anna.jump(2_000);
    expect(await refusalOf(held)).toContain("bert has it now");
  });

  it("is asked for by writes no more than every two seconds, once for many", async () => {
    let renewals = 0;
    const transport = new FaultyTransport(new InProcessTransport(sandbox), (_call, { method }) => {
      if (method === "PUT") renewals++;
      return undefined;
    });
    const options = { holder: "anna", waitMs: 0, clock: clocks.anna };
    const held = await takeLease(clusterOver(transport), group, options);
    clocks.anna.jump(2_000);
    await Promise.all([held.fence(), held.fence(), held.fence()]);
    clocks.anna.jump(1_900);
    expect(held.fence()).toBeUndefined();
    expect(renewals).toBe(1);
    expect(await held.release()).toBeUndefined();
  });

  it.each([false, true])(
    "that somebody deleted fails a run that has written all (taken meanwhile: %s)",
    async (isTaken) => {
      const options = { holder: "anna", waitMs: 0, clock: clocks.anna };
      const running = whileHolding(cluster, group, options, async () => {
        await cluster.delete(reference);
        if (isTaken) await take("bert");
      });
      await expect(running).rejects.toThrow(
        isTaken
          ? /the Lease default\/shop was taken from this run before it ended: bert has it now/
          : /before it ended: somebody deleted it/,
      );
      if (isTaken) expect(await holder()).toBe("bert");
    },
  );

  it("that goes with its namespace fails nobody", async () => {
    await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "going" } });
    const options = { holder: "anna", waitMs: 0, clock: clocks.anna };
    await whileHolding(cluster, { namespace: "going", name: "shop" }, options, async () => {
      await cluster.delete({ apiVersion: "v1", kind: "Namespace", name: "going" });
    });
  });

  it.each(["drop after", "500 after", "half"] as const)(
    "is given back where the answer to that is lost: %s",
    async (fault) => {
      const transport = new FaultyTransport(new InProcessTransport(sandbox), (_call, { method }) =>
        method === "DELETE" ? fault : undefined,
      );
      const options = { holder: "anna", waitMs: 0, clock: clocks.anna };
      await whileHolding(clusterOver(transport), group, options, async () => {});
      expect(await cluster.find(reference)).toBeUndefined();
    },
  );

  it("stops who can no longer renew it, and lets nothing be written meanwhile", async () => {
    let isDown = false;
    const transport = new FaultyTransport(new InProcessTransport(sandbox), () =>
      isDown ? "500 before" : undefined,
    );
    const held = await takeLease(clusterOver(transport), group, {
      holder: "anna",
      waitMs: 0,
      clock: clocks.anna,
    });
    isDown = true;
    await clocks.anna.pass(21_000);
    let isThrough = false;
    const writing = Promise.resolve(held.fence()).then(
      () => (isThrough = true),
      (error: unknown) => String(error),
    );
    await settled();
    expect(isThrough).toBe(false);
    await clocks.anna.pass(minuteMs);
    expect(await writing).toContain("could not be renewed in time");
    expect(held.lost.aborted).toBe(true);
  });

  it.each([
    ["500 before", 1],
    ["500 after", 1],
    ["503", 3],
    ["timeout", 2],
  ] as const)("is taken from a server that fails at first: %s, %i times", async (fault, most) => {
    let spoiled = 0;
    const transport = new FaultyTransport(new InProcessTransport(sandbox), (_call, { method }) =>
      method === "POST" && spoiled++ < most ? fault : undefined,
    );
    const taking = takeLease(clusterOver(transport), group, {
      holder: "anna",
      waitMs: 0,
      clock: clocks.anna,
    });
    await clocks.anna.pass(20_000);
    await (await taking).release();
  });
});
