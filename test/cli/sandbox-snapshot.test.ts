import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { openSandboxCluster, serveSandbox } from "../../src/sandbox/index.ts";
import { runKeelson, type Ran } from "./run-keelson.ts";

const root = mkdtempSync(join(tmpdir(), "keelson-snapshot-"));
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

let folder = "";
let count = 0;
beforeEach(() => {
  folder = join(root, String(count++));
});

const file = (): string => `${folder}.jsonl`;
const sandbox = (command: "snapshot" | "restore", snapshot: string): Promise<Ran> =>
  runKeelson(["sandbox", command, snapshot, "--data", folder]);
const reference = { apiVersion: "v1", kind: "ConfigMap", name: "a", namespace: "default" };

async function put(value: string): Promise<string> {
  const { cluster } = await openSandboxCluster(folder);
  const { apiVersion, kind, name, namespace } = reference;
  await cluster.apply(
    { apiVersion, kind, metadata: { name, namespace }, data: { value } },
    { fieldManager: "test" },
  );
  await cluster.close();
  return (await get())[1];
}

async function get(): Promise<readonly [value: unknown, identity: string]> {
  const { cluster } = await openSandboxCluster(folder);
  const object = await cluster.get(reference);
  await cluster.close();
  const { uid, resourceVersion } = object?.metadata ?? {};
  return [object?.["data"], `${uid ?? ""} ${resourceVersion ?? ""}`];
}

describe("keelson sandbox snapshot and restore", () => {
  it("bring objects back as they were, and never use a version twice", async () => {
    const before = await put("before");
    const { stdout } = await sandbox("snapshot", file());
    expect(stdout).toMatch(/^\d+ objects are kept in /);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    const after = await put("after");
    expect(await sandbox("restore", file())).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+ objects are restored; the former ones are kept in /),
    });
    expect(await get()).toEqual([{ value: "before" }, before]);
    const version = (identity: string): number => Number(identity.split(" ")[1]);
    expect(version(await put("again"))).toBeGreaterThan(version(after));
  });

  it("work for a sandbox that is served: it is read, but not replaced", async () => {
    await put("served");
    const served = await serveSandbox({ folder });
    try {
      expect((await sandbox("snapshot", file())).code).toBe(0);
      expect(readFileSync(file(), "utf8")).toContain('"value":"served"');
      const { code, stderr } = await sandbox("restore", file());
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringContaining("error[sandbox.data-in-use]: restoring the sandbox's data"),
      });
    } finally {
      await served.close();
    }
  });

  it("fill a folder that was never used", async () => {
    await put("first");
    await sandbox("snapshot", file());
    const snapshot = file();
    folder = `${folder}-other`;
    expect((await sandbox("restore", snapshot)).code).toBe(0);
    expect((await get())[0]).toEqual({ value: "first" });
  });

  const damaged: readonly (readonly [text: string, message: string])[] = [
    ["", "line 1: this is not a snapshot of a sandbox"],
    ["{}\n", "line 1: this is not a snapshot of a sandbox"],
    ['{"kind":"SandboxSnapshot","format":9,"revision":1}\n', "line 1: it was written by a newer"],
    [
      '{"kind":"SandboxSnapshot","format":1,"revision":1}\n{"resource":"/pods"}\n',
      "line 2: this line is not an object",
    ],
  ];
  for (const [text, message] of damaged) {
    it(`refuse ${JSON.stringify(text.slice(0, 40))}`, async () => {
      const before = await put("kept");
      writeFileSync(file(), text);
      const { code, stderr } = await sandbox("restore", file());
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) });
      expect(stderr).toContain("error[sandbox.snapshot-invalid]");
      expect(await get()).toEqual([{ value: "kept" }, before]);
    });
  }

  it("say which file cannot be read or written", async () => {
    expect((await sandbox("restore", join(root, "none"))).stderr).toContain(
      "error[sandbox.snapshot-unreadable]",
    );
    expect((await sandbox("snapshot", join(root, "none", "file"))).stderr).toContain(
      "error[sandbox.snapshot-unwritable]",
    );
  });

  it("say that the process which serves the data does not answer", async () => {
    await put("x");
    writeFileSync(join(folder, "serving.json"), JSON.stringify({ pid: process.pid, port: 1 }));
    expect((await sandbox("snapshot", file())).stderr).toContain("error[sandbox.not-answering]");
  });
});
