/** `examples/engine`: the engine as a library, in processes of their own, on a served sandbox. */
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connect } from "../../src/engine/library.ts";
import { type CreatedSandbox, createSandbox } from "../../src/sandbox/index.ts";

const root = join(import.meta.dirname, "../..");
let sandbox: CreatedSandbox;
let folder: string;
let kubeconfig: string;

beforeAll(async () => {
  sandbox = await createSandbox();
  folder = await mkdtemp(join(tmpdir(), "keelson-engine-"));
  kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, sandbox.kubeconfig);
});
afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true });
});

async function node(file: string): Promise<{ readonly code: number | null; readonly out: string }> {
  const preload = join(root, "test/cli/from-package.ts");
  const child = spawn(process.execPath, ["--import", preload, file, "deploy"], {
    cwd: join(root, "examples/engine"),
    env: { ...process.env, NODE_OPTIONS: "", KUBECONFIG: kubeconfig, HOME: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [out, code] = await Promise.all([
    text(child.stdout),
    new Promise<number | null>((resolve) => child.on("exit", resolve)),
  ]);
  return { code, out };
}

it("deploys, finds no drift, and finds what somebody changed", async () => {
  const first = await node("deploy.ts");
  expect(first.out).toContain("create Deployment engine-web\n");
  expect(first.out).toMatch(/^Deployment engine-web: .*\ndone: 2 applied\n$/m);
  expect(first.code).toBe(0);
  expect(await node("drift.ts")).toEqual({ code: 0, out: "no drift\n" });
  const cluster = await connect({ kubeconfig });
  const reference = { apiVersion: "v1", kind: "ConfigMap", namespace: "default" };
  await cluster.patch({ ...reference, name: "engine-settings" }, "merge", {
    data: { color: "red" },
  });
  await cluster.close();
  expect(await node("drift.ts")).toEqual({
    code: 1,
    out: 'ConfigMap engine-settings .data.color: "red", not "green"\ndrift in 1 object\n',
  });
  expect((await node("deploy.ts")).out).toContain(
    "update ConfigMap engine-settings data.color\nunchanged Deployment engine-web\n",
  );
});
