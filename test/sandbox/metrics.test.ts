import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createSandbox, type CreatedSandbox } from "../../src/sandbox/index.ts";
import { kubectlPath } from "../cluster/kubectl.ts";
import { connectTarget, type Target } from "../conformance/target.ts";

const folder = mkdtempSync(join(tmpdir(), "keelson-metrics-"));
let sandbox: CreatedSandbox;
let target: Target;

const get = async (path: string): Promise<string> =>
  (await target.send({ method: "GET", path, headers: {} })).text;

beforeAll(async () => {
  sandbox = await createSandbox();
  target = connectTarget(sandbox.kubeconfig);
  writeFileSync(join(folder, "kubeconfig"), sandbox.kubeconfig, { mode: 0o600 });
  await target.send({
    method: "POST",
    path: "/api/v1/namespaces/default/pods",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      metadata: { name: "p" },
      spec: {
        containers: [
          { name: "c", image: "i", resources: { requests: { cpu: "200m", memory: "64Mi" } } },
          { name: "d", image: "i" },
        ],
      },
    }),
  });
  await vi.waitUntil(
    async () => (await get("/api/v1/namespaces/default/pods/p")).includes('"phase":"Running"'),
    { timeout: 60_000 },
  );
});

afterAll(async () => {
  target.close();
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

it("are derived from what containers request", async () => {
  const pod = JSON.parse(
    await get("/apis/metrics.k8s.io/v1beta1/namespaces/default/pods/p"),
  ) as object;
  expect(pod).toMatchObject({
    kind: "PodMetrics",
    apiVersion: "metrics.k8s.io/v1beta1",
    window: "15s",
    containers: [
      { name: "c", usage: { cpu: "100m", memory: "49152Ki" } },
      { name: "d", usage: { cpu: "1m", memory: "8192Ki" } },
    ],
  });
});

it("are what kubectl top shows", async () => {
  const kubectl = await kubectlPath();
  const top = async (what: string): Promise<readonly string[]> => {
    const args = ["--kubeconfig", join(folder, "kubeconfig"), "top", what];
    const { stdout } = await promisify(execFile)(kubectl, args, { env: { HOME: folder } });
    return stdout
      .trim()
      .split("\n")
      .map((line) => line.trim().replaceAll(/\s+/g, " "));
  };
  expect(await top("pods")).toEqual(["NAME CPU(cores) MEMORY(bytes)", "p 101m 56Mi"]);
  expect(await top("nodes")).toEqual([
    "NAME CPU(cores) CPU(%) MEMORY(bytes) MEMORY(%)",
    "sandbox-0 201m 0% 568Mi 0%",
  ]);
});
