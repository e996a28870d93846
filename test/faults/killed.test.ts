import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, type Cluster, selectCluster } from "../../src/cluster/index.ts";
import { serveInMemory, type ServedSandbox } from "../../src/sandbox/serve-sandbox.ts";
import { type Ran, runKeelson } from "../cli/run-keelson.ts";
import { configMap, group } from "../live/live-world.ts";

const keelson = new URL("../cli/keelson.ts", import.meta.url).pathname;
const owner = "config.k8s.io/owning-inventory";

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process of its own that applies, on a served sandbox whose writes are counted. */
describe("a process that is stopped", () => {
  const folder = mkdtempSync(join(tmpdir(), "keelson-killed-"));
  let served: ServedSandbox;
  let cluster: Cluster;
  let onWrite: (() => void) | undefined;

  beforeAll(async () => {
    served = await serveInMemory();
    served.sandbox.context.store.subscribe(({ resource }) => {
      // Controllers write too; what the command writes is told apart by its resources.
      if (/^(?:\/configmaps|kpt\.dev\/|coordination\.k8s\.io\/)/.test(resource)) onWrite?.();
    });
    writeFileSync(join(folder, "kubeconfig"), served.kubeconfig);
    const kubeconfig = join(folder, "kubeconfig");
    const selection = await selectCluster({ kubeconfig, env: {}, home: folder });
    if (selection === undefined) throw new Error("no cluster");
    cluster = connect(selection.settings);
  });
  afterAll(async () => {
    await cluster.close();
    await served.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs `live apply`; `act` is called with every write that arrives at the server. */
  function apply(
    input: string,
    act: (child: { kill: (signal: NodeJS.Signals) => void }, write: number) => void = () => {},
  ): Promise<Ended> {
    const file = join(folder, "input.yaml");
    writeFileSync(file, input);
    return new Promise((resolve, reject) => {
      const args = [keelson, "live", "apply", file, "--kubeconfig", join(folder, "kubeconfig")];
      const child = spawn(process.execPath, args, {
        env: { ...process.env, NODE_OPTIONS: "", HOME: folder },
        stdio: ["ignore", "pipe", "pipe"],
      });
      let count = 0;
      let stdout = "";
      let stderr = "";
      onWrite = () => {
        act({ kill: (signal) => void child.kill(signal) }, ++count);
      };
      child.stdout.on("data", (chunk) => (stdout += String(chunk)));
      child.stderr.on("data", (chunk) => (stderr += String(chunk)));
      child.on("error", reject);
      child.on("close", (code, signal) => {
        onWrite = undefined;
        resolve({ code, signal, stdout, stderr });
      });
    });
  }

  /** The same command in this process, which nobody stops. */
  function finish(input: string): Promise<Ran> {
    const args = ["live", "apply", "-", "--kubeconfig", join(folder, "kubeconfig")];
    return runKeelson(args, { stdin: input, env: { HOME: folder }, workingDirectory: folder });
  }

  async function expireLease(name: string): Promise<void> {
    const reference = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", namespace: "default" };
    const lease = await cluster.find({ ...reference, name });
    if (lease === undefined) return;
    const spec = { ...(lease["spec"] as object), renewTime: "2020-01-01T00:00:00.000000Z" };
    await cluster.update({ ...lease, spec });
  }

  async function owned(id: string): Promise<readonly string[]> {
    const { items } = await cluster.list({ apiVersion: "v1", kind: "ConfigMap" });
    return items
      .filter(({ metadata }) => metadata.annotations?.[owner] === id)
      .map(({ metadata }) => metadata.name ?? "")
      .sort();
  }

  async function known(name: string): Promise<readonly string[]> {
    const reference = { apiVersion: "kpt.dev/v1alpha1", kind: "ResourceGroup", name };
    const found = await cluster.find({ ...reference, namespace: "default" });
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
        await expireLease("kill");
        expect(await finish(group("kill") + after)).toMatchObject({ code: 0 });
        expect(await owned("kill-default")).toEqual(["a", "c"]);
        expect(await known("kill")).toEqual(["a", "c"]);
        expect((await finish(group("kill") + after)).stdout).toContain("2 unchanged\n");
        await finish(group("kill") + before);
        if (killed.signal !== "SIGKILL") break;
      }
    },
  );

  it(
    "by Ctrl-C ends what it began, remembers it, and exits with 130",
    { timeout: 60_000 },
    async () => {
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
      expect(await cluster.find({ ...lease, name: "interrupt" })).toBeUndefined();
      expect((await finish(group("interrupt") + many)).code).toBe(0);
      expect(await owned("interrupt-default")).toHaveLength(400);
    },
  );

  it("by Ctrl-C twice stops at once, and nothing is lost", { timeout: 60_000 }, async () => {
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
