import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { keelsonScript } from "../built-package.ts";
import { connectTarget, type Target } from "../conformance/target.ts";
import { patienceMs } from "../patience.ts";

/** A disk of its own for one process: a mount that nobody else sees, where the kernel lets us make one. */
const canMount = spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;

interface OnSmallDisk {
  readonly nextLine: () => Promise<string | undefined>;
  readonly errors: () => string;
  /** Runs a command on that disk. */
  readonly beside: (command: string) => void;
  readonly exited: Promise<number | null>;
  readonly stop: () => void;
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "keelson-full-"));
  mkdirSync(join(folder, "disk"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** A sandbox whose data is on a small disk of its own. */
function startOnSmallDisk(size: string, before = "true"): OnSmallDisk {
  const disk = join(folder, "disk");
  const command = `'${process.execPath}' '${keelsonScript}' sandbox --data '${disk}/data' --kubeconfig '${folder}/kubeconfig' --output json`;
  const child = spawn(
    "unshare",
    [
      "-rm",
      "sh",
      "-c",
      `mount -t tmpfs -o size=${size} none '${disk}' && cd '${disk}' && ${before}; exec ${command}`,
    ],
    { env: { ...process.env, NODE_OPTIONS: "" }, stdio: ["ignore", "pipe", "pipe"] },
  );
  let errors = "";
  child.stderr.on("data", (chunk) => (errors += String(chunk)));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    nextLine: async () => {
      const { value, done } = await lines.next();
      return done === true ? undefined : value;
    },
    errors: () => errors,
    beside: (text) => {
      // The disk as that process sees it.
      spawnSync("sh", ["-c", `cd '/proc/${child.pid}/root${disk}' && ${text}`]);
    },
    exited: new Promise((resolve) => child.on("exit", resolve)),
    stop: () => child.kill("SIGINT"),
  };
}

const maps = "/api/v1/namespaces/default/configmaps";
const create = (target: Target, name: string, bytes: number) =>
  target.send({
    method: "POST",
    path: maps,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ metadata: { name }, data: { value: "x".repeat(bytes) } }),
  });

// Without a mount namespace a disk cannot be filled without filling that of everybody else.
describe.runIf(canMount)("a full disk", () => {
  it(
    "while the sandbox writes: refused in plain words, said once, and over when there is room",
    { timeout: patienceMs * 2 },
    async () => {
      const sandbox = startOnSmallDisk("4m", "head -c 1000000 /dev/zero > ballast");
      const ready = await sandbox.nextLine();
      expect(ready, sandbox.errors()).toContain('"ready"');
      const target = connectTarget(readFileSync(join(folder, "kubeconfig"), "utf8"));
      const kept: string[] = [];
      let refused = "";
      for (let number = 0; refused === "" && number < 200; number++) {
        const answer = await create(target, `map-${number}`, 100_000);
        if (answer.status === 201) kept.push(`map-${number}`);
        else refused = answer.text;
      }
      expect(refused).toContain("there is no space left on its disk");
      expect(refused).toContain("All that was written before is safe");
      expect(JSON.parse(refused)).toMatchObject({ code: 500, reason: "InternalError" });
      await create(target, "again", 100_000);
      // Reading goes on.
      const list = await target.send({ method: "GET", path: maps, headers: {} });
      const { items } = JSON.parse(list.text) as {
        readonly items: readonly { readonly metadata: { readonly name: string } }[];
      };
      const names = items.map(({ metadata }) => metadata.name);
      expect(names).toEqual(expect.arrayContaining(kept));
      expect(names).not.toContain("again");
      expect(await sandbox.nextLine()).toContain("sandbox.disk-full");
      sandbox.beside("rm ballast");
      expect((await create(target, "after", 1000)).status).toBe(201);
      target.close();
      sandbox.stop();
      expect(await sandbox.exited).toBe(0);
    },
  );

  it("at the start: said in plain words", { timeout: patienceMs }, async () => {
    const sandbox = startOnSmallDisk("100k", "head -c 200000 /dev/zero > ballast");
    const said = (await sandbox.nextLine()) ?? "";
    expect(await sandbox.exited).toBe(1);
    expect(said).toContain("sandbox.disk-full");
    expect(said).not.toContain("defect");
  });
});
