import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ran, runKeelson } from "../cli/run-keelson.ts";
import { configMap, group } from "../live/live-world.ts";
import { type Ended, type OnWrite, StoppedProcess } from "./stopped-process.ts";

const owner = "config.k8s.io/owning-inventory";

/** A process of its own that applies, on a served sandbox whose writes are counted. */
describe("a process that is stopped", () => {
  let world: StoppedProcess;

  beforeAll(async () => {
    world = await StoppedProcess.open(/^(?:\/configmaps|kpt\.dev\/|coordination\.k8s\.io\/)/);
  });
  afterAll(async () => {
    await world.close();
  });

  /** Runs `live apply`; `act` is called with every write that arrives at the server. */
  function apply(input: string, act?: OnWrite): Promise<Ended> {
    writeFileSync(join(world.folder, "input.yaml"), input);
    return world.run(["live", "apply", "input.yaml"], act);
  }

  /** The same command in this process, which nobody stops. */
  function finish(input: string): Promise<Ran> {
    const args = ["live", "apply", "-", "--kubeconfig", world.kubeconfig];
    const { folder } = world;
    return runKeelson(args, { stdin: input, env: { HOME: folder }, workingDirectory: folder });
  }

  async function owned(id: string): Promise<readonly string[]> {
    const { items } = await world.cluster.list({ apiVersion: "v1", kind: "ConfigMap" });
    return items
      .filter(({ metadata }) => metadata.annotations?.[owner] === id)
      .map(({ metadata }) => metadata.name ?? "")
      .sort();
  }

  async function known(name: string): Promise<readonly string[]> {
    const reference = { apiVersion: "kpt.dev/v1alpha1", kind: "ResourceGroup", name };
    const found = await world.cluster.find({ ...reference, namespace: "default" });
    const { resources = [] } = (found?.["spec"] ?? {}) as { resources?: { name: string }[] };
    return resources.map((entry) => entry.name).sort();
  }

  it(
    "with kill -9 at any write leaves what one more run finishes",
    { timeout: 300_000 },
    async () => {
      const before = configMap("a", { v: "1" }) + configMap("b");
      const after = configMap("a", { v: "2" }) + configMap("c");
      expect((await finish(group("kill") + before)).code).toBe(0);
      for (let at = 1; at <= 20; at++) {
        const killed = await apply(group("kill") + after, (child, write) => {
          if (write === at) child.kill("SIGKILL");
        });
        const names = await known("kill");
        for (const name of await owned("kill-default")) expect(names).toContain(name);
        expect(await finish(group("kill") + after)).toMatchObject({ code: 0 });
        expect(await owned("kill-default")).toEqual(["a", "c"]);
        expect(await known("kill")).toEqual(["a", "c"]);
        expect((await finish(group("kill") + after)).stdout).toContain("2 unchanged\n");
        await finish(group("kill") + before);
        if (killed.signal !== "SIGKILL") break;
      }
    },
  );

  it("by Ctrl-C ends what it began, remembers it, and exits with 130", async () => {
    const many = Array.from({ length: 400 }, (_, index) => configMap(`many-${index}`)).join("");
    const ended = await apply(group("interrupt") + many, (child, write) => {
      if (write === 10) child.kill("SIGINT");
    });
    expect(ended).toMatchObject({ code: 130 });
    expect(ended.stderr).toContain("interrupted: finishing what is under way");
    const names = await owned("interrupt-default");
    expect(names.length).toBeGreaterThan(0);
    expect(await known("interrupt")).toEqual(names);
    const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", namespace: "default" };
    expect(await world.cluster.find({ ...lease, name: "interrupt" })).toBeUndefined();
    expect((await finish(group("interrupt") + many)).code).toBe(0);
    expect(await owned("interrupt-default")).toHaveLength(400);
  });

  it("by Ctrl-C twice stops at once, and nothing is lost", async () => {
    const slow = `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: slow, namespace: default}\nspec:\n  selector: {matchLabels: {app: slow}}\n  template:\n    metadata:\n      labels: {app: slow}\n      annotations: {sandbox.keelson.dev/trouble: never-ready}\n    spec: {containers: [{name: main, image: "web:1"}]}\n---\n`;
    const ended = await apply(group("twice") + configMap("t") + slow, (child, write) => {
      if (write !== 4) return;
      child.kill("SIGINT");
      child.kill("SIGTERM");
    });
    expect(ended).toMatchObject({ code: 130 });
    for (const name of await owned("twice-default")) expect(await known("twice")).toContain(name);
  });
});
