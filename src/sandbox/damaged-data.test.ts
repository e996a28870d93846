import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  chmodSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Diagnostic, DiagnosticError } from "../diagnostics/index.ts";
import { openSandboxCluster } from "./open-sandbox-cluster.ts";
import { serveSandbox } from "./serve-sandbox.ts";
import { restoreSnapshot } from "./snapshot/restore-snapshot.ts";
import { takeSnapshot } from "./snapshot/take-snapshot.ts";

const home = mkdtempSync(join(tmpdir(), "keelson-damaged-"));
const whole = join(home, "whole");
let folder: string;
let count = 0;
let snapshot: string;

beforeAll(async () => {
  const { cluster } = await openSandboxCluster(whole);
  for (let number = 0; number < 40; number++)
    await cluster.create({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: `map-${number}`, namespace: "default" },
      data: { value: `${number}`.repeat(300) },
    });
  await cluster.close();
  snapshot = await takeSnapshot(whole);
});
beforeEach(() => {
  folder = copyOfWhole();
});
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});

function copyOfWhole(): string {
  const copy = join(home, `copy-${count++}`);
  mkdirSync(copy);
  for (const file of readdirSync(whole)) copyFileSync(join(whole, file), join(copy, file));
  return copy;
}

/** What opening says; undefined when all is well. */
async function problemOf(work: () => Promise<unknown>): Promise<Diagnostic | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostics[0];
    throw error;
  }
}

const open = async (): Promise<void> => {
  const { cluster } = await openSandboxCluster(folder);
  try {
    await cluster.list({ apiVersion: "v1", kind: "ConfigMap" }, { namespace: "default" });
  } finally {
    await cluster.close();
  }
};
const objects = (): string => join(folder, "objects.sqlite");
const identity = (): string => join(folder, "identity.json");

describe("objects that are damaged", () => {
  it("are said to be, with what is safe, and are kept", async () => {
    truncateSync(objects(), 5000);
    const problem = await problemOf(open);
    expect(problem).toMatchObject({ code: "sandbox.data-damaged" });
    expect(problem?.detail).toContain("are safe");
    expect(statSync(objects()).size).toBe(5000);
    const served = await serveSandbox({ folder, fresh: true });
    await served.close();
    expect(statSync(served.setAside ?? "").size).toBe(5000);
  });

  it("are not taken for a new sandbox when nothing is left of them", async () => {
    truncateSync(objects(), 0);
    expect(await problemOf(open)).toMatchObject({ code: "sandbox.data-damaged" });
  });

  it("are replaced by those of a snapshot", async () => {
    truncateSync(objects(), 9000);
    await restoreSnapshot(folder, snapshot, "snapshot");
    expect(await problemOf(open)).toBeUndefined();
    expect(await takeSnapshot(folder)).toContain('"map-39"');
  });

  it("never end in a defect, wherever the damage is", { timeout: 60_000 }, async () => {
    const size = statSync(objects()).size;
    const damage = fc.record({
      at: fc.nat(size - 1),
      bytes: fc.uint8Array({ minLength: 1, maxLength: 64 }),
      cut: fc.option(fc.nat(size), { freq: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(damage, async ({ at, bytes, cut }) => {
        folder = copyOfWhole();
        const content = readFileSync(objects());
        content.set(bytes.subarray(0, size - at), at);
        writeFileSync(objects(), cut === null ? content : content.subarray(0, cut));
        const problem = await problemOf(open);
        expect(problem?.code ?? "sandbox.data-damaged").toBe("sandbox.data-damaged");
        rmSync(folder, { recursive: true });
      }),
      { numRuns: 150 },
    );
  });
});

describe("something else in the place of", () => {
  it.each([
    ["the objects: a folder", () => objects(), (file: string) => mkdirSync(file)],
    [
      "the objects: a link to nowhere",
      () => objects(),
      (file: string) => {
        symlinkSync(join(home, "missing", "file"), file);
      },
    ],
    ["the identity: a folder", () => identity(), (file: string) => mkdirSync(file)],
  ])("%s", async (_what, file, put) => {
    rmSync(file());
    put(file());
    expect(await problemOf(open)).toMatchObject({
      code: "sandbox.data-unusable",
      summary: expect.stringContaining(file()) as unknown,
    });
  });
});

describe("an identity that is damaged", () => {
  it.each([
    ["cut off", (text: string) => text.slice(0, 700)],
    ["empty", () => ""],
    ["something else", () => "[1]"],
    ["null", () => "null"],
    ["without its key", (text: string) => text.replace(/"key":"[^"]*"/, '"key":""')],
    ["with another certificate", (text: string) => text.replace("MII", "MIJ")],
  ])("is said to be, and the objects are safe: %s", async (_case, damaged) => {
    writeFileSync(identity(), damaged(readFileSync(identity(), "utf8")));
    const before = readFileSync(identity(), "utf8");
    const problem = await problemOf(() => serveSandbox({ folder, fresh: true }));
    expect(problem).toMatchObject({
      code: "sandbox.identity-damaged",
      detail: "The objects of the sandbox are safe.",
    });
    expect(await problemOf(open)).toMatchObject({ code: "sandbox.identity-damaged" });
    expect(readFileSync(identity(), "utf8")).toBe(before);
    // Nothing was set aside, and what the hint says helps.
    rmSync(identity());
    expect(await problemOf(open)).toBeUndefined();
    expect(await takeSnapshot(folder)).toContain('"map-39"');
  });
});

describe("what holds secrets", () => {
  it("is its owner's only, whatever the folder, the umask and the files were", async () => {
    const umask = process.umask(0);
    try {
      folder = join(home, "open");
      mkdirSync(folder, { mode: 0o777 });
      const modes = (): readonly string[] =>
        readdirSync(folder).map((file) => (statSync(join(folder, file)).mode & 0o777).toString(8));
      const served = await serveSandbox({ folder });
      expect(existsSync(`${objects()}-wal`)).toBe(true);
      expect(new Set(modes())).toEqual(new Set(["600"]));
      await served.close();
      for (const file of readdirSync(folder)) chmodSync(join(folder, file), 0o666);
      const again = await serveSandbox({ folder, fresh: true });
      await again.close();
      expect(new Set(modes())).toEqual(new Set(["600"]));
    } finally {
      process.umask(umask);
    }
  });
});
