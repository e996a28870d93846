import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, connectTo } from "../../src/cluster/index.ts";
import { settingsOf } from "../cluster/test-settings.ts";
import { running } from "../sandbox/running.ts";
import { runKeelson } from "./run-keelson.ts";
import { startKeelson } from "./start-keelson.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "keelson-serve-"));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

const nodes = { apiVersion: "v1", kind: "Node" };
const pods = { apiVersion: "v1", kind: "Pod" };

/** Serves with these flags while something is done. */
async function serving<T>(
  flags: readonly string[],
  run: (cluster: Cluster, ready: { readonly url: string }) => Promise<T>,
): Promise<T> {
  const kubeconfig = join(folder, "own-kubeconfig");
  const data = ["--data", join(folder, "data"), "--kubeconfig", kubeconfig];
  const keelson = startKeelson(["sandbox", ...data, ...flags, "--output", "json"]);
  const ready = JSON.parse((await keelson.nextLine()) ?? "{}") as { readonly url: string };
  const cluster = connectTo(await settingsOf(kubeconfig), { namespace: "default" });
  try {
    return await run(cluster, ready);
  } finally {
    await cluster.close();
    keelson.child.kill("SIGTERM");
    expect(await keelson.exited).toBe(0);
  }
}

test("serves on the port that it is given, and on the same one next time", async () => {
  const first = await serving([], async (_cluster, { url }) => url);
  const port = new URL(first).port;
  expect(await serving([], async (_cluster, { url }) => url)).toBe(first);
  expect(await serving(["--port", port], async (_cluster, { url }) => url)).toBe(first);
});

test("says so when the kubeconfig cannot be written, and lets go of the data", async () => {
  const data = join(folder, "unwritable");
  const kubeconfig = join(folder, "no-such-folder", "kubeconfig");
  for (let time = 0; time < 2; time++) {
    const result = await runKeelson(["sandbox", "--data", data, "--kubeconfig", kubeconfig]);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain("error[sandbox.kubeconfig-unwritable]");
  }
});

test("without the simulated runtime nothing runs", async () => {
  const run = async (cluster: Cluster): Promise<number> => (await cluster.list(nodes)).items.length;
  expect(await serving(["--fresh", "--empty"], run)).toBe(0);
  expect(await serving(["--fresh"], run)).toBe(1);
});

test("begins without objects when it is asked to", async () => {
  const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "kept" }, data: { a: "1" } };
  await serving([], (cluster) => cluster.create(map));
  const find = async (cluster: Cluster): Promise<boolean> =>
    (await cluster.list(map, { namespace: "default" })).items.some(
      ({ metadata }) => metadata.name === "kept",
    );
  expect(await serving([], find)).toBe(true);
  expect(await serving(["--fresh"], find)).toBe(false);
});

test("starts processes only when they are allowed, and ends them with itself", async () => {
  const started = join(folder, "started");
  const pod = {
    ...pods,
    metadata: {
      name: "p",
      annotations: { "sandbox.keelson.dev/run": `echo $$ > "${started}"; exec sleep 600` },
    },
    spec: { containers: [{ name: "app", image: "a" }] },
  };
  const exec = async (cluster: Cluster): Promise<string> => {
    await cluster.create(pod);
    await running(cluster, "p");
    return cluster.exec({ name: "p" }, { command: ["true"] }).then(String, String);
  };
  const startedPid = (): Promise<number> => readFile(started, "utf8").then(Number, () => 0);
  expect(await serving(["--fresh"], exec)).toContain("501");
  expect(existsSync(started)).toBe(false);
  const pid = await serving(["--fresh", "--allow-processes"], async (cluster) => {
    expect(await exec(cluster)).toBe("0");
    await expect.poll(startedPid).toBeGreaterThan(0);
    return startedPid();
  });
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});

test("prints a line for a shell that names the kubeconfig, whatever its folder is called", async () => {
  const kubeconfig = join(folder, "my kubeconfig");
  const { stdout } = await runKeelson(
    ["sandbox", "--data", join(folder, "my data"), "--kubeconfig", kubeconfig],
    { onStdout: (text) => text.includes("export") && process.emit("SIGTERM") },
  );
  const line = stdout.split("\n").find((each) => each.includes("export")) ?? "";
  const { stdout: seen } = await promisify(execFile)("sh", ["-c", `${line}; printenv KUBECONFIG`]);
  expect(seen).toBe(`${kubeconfig}\n`);
});

test("can be stopped by whoever reads that it is ready", async () => {
  const data = join(folder, "stopped-at-once");
  const result = await runKeelson(["sandbox", "--data", data, "--output", "json"], {
    onStdout: () => process.emit("SIGTERM"),
  });
  expect(result).toMatchObject({ code: 0, stderr: "" });
});
