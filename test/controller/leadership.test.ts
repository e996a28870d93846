import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clusterOver } from "../../src/cluster/index.ts";
import { jsonLog, runControllers } from "../../src/controller/index.ts";
import { openSandbox, type Sandbox } from "../../src/sandbox/create-sandbox.ts";
import { InProcessTransport } from "../../src/sandbox/in-process-transport.ts";
import { type Fault, FaultyTransport } from "../faults/faulty-transport.ts";

const lease = { namespace: "default", name: "controller" };

describe("a controller that takes its Lease", () => {
  let sandbox: Sandbox;
  const logged: string[] = [];
  beforeEach(() => {
    sandbox = openSandbox({ workloads: false });
  });
  afterEach(() => {
    sandbox.close();
  });

  /** Runs until it leads, or ends before; the first so many calls about the Lease meet a fault. */
  async function run(fault: Fault, method: string, most: number): Promise<unknown> {
    let spoiled = 0;
    const transport = new FaultyTransport(new InProcessTransport(sandbox), (_call, request) => {
      const isHit = request.method === method && request.path.includes("/leases") && spoiled < most;
      if (isHit) spoiled++;
      return isHit ? fault : undefined;
    });
    const cluster = clusterOver(transport);
    const stop = new AbortController();
    let hasLed = false;
    logged.length = 0;
    const ended: unknown = await runControllers({
      cluster,
      reconcilers: [],
      signal: stop.signal,
      holder: "anna",
      lease,
      leaseSeconds: 1,
      log: jsonLog({ level: "warn", write: (line) => logged.push(line) }),
      onLeading: () => {
        hasLed = true;
        stop.abort();
      },
    }).catch((error: unknown) => error);
    await cluster.close();
    expect(spoiled).toBe(most);
    return hasLed ? "led" : ended;
  }

  it.each([
    ["500 before", "POST", 1],
    ["500 before", "POST", 3],
    ["500 after", "POST", 1],
    ["500 before", "GET", 3],
    ["429", "POST", 2],
    ["drop before", "POST", 2],
    ["drop after", "POST", 1],
  ] as const)(
    "tries again after a server that fails: %s of %s, %i times",
    async (fault, method, most) => {
      expect(await run(fault, method, most)).toBe("led");
      // After a write whose answer was lost the Lease is found to be ours.
      const isTold = logged.join("\n").includes("the Lease could not be taken; it is tried again");
      expect(isTold).toBe(!fault.endsWith("after"));
    },
  );

  it("ends when it may not have it", async () => {
    expect(await run("403", "POST", 1)).toMatchObject({ reason: "Forbidden" });
  });

  it("ends when it is stopped while it waits", async () => {
    const failing = new FaultyTransport(new InProcessTransport(sandbox), (_call, { path }) =>
      path.includes("/leases") ? "500 before" : undefined,
    );
    const stop = new AbortController();
    const ended = runControllers({
      cluster: clusterOver(failing),
      reconcilers: [],
      signal: stop.signal,
      holder: "anna",
      lease,
    });
    await expect.poll(() => failing.calls.length).toBeGreaterThan(2);
    stop.abort();
    expect(await ended).toBeUndefined();
  });
});
