import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { execute } from "../../scripts/release/npm.ts";
import { requireCommitted } from "../../scripts/release/require-committed.ts";
import type { Sbom } from "../../scripts/release/sbom.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "keelson-released-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const read = (file: string): Promise<string> => readFile(join(folder, file), "utf8");

it("makes a package that is whole, small and usable", { timeout: 180_000 }, async () => {
  const script = join(import.meta.dirname, "../../scripts/release.ts");
  const flags = ["--allow-dirty", "--out", folder];
  const lines = (await execute(process.execPath, [script, ...flags], folder)).trim().split("\n");
  const { version } = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
  const tarball = `keelson-${version}.tgz`;
  expect(lines.slice(0, -1)).toEqual([
    "ok   files and manifest are in order (publint, strict)",
    "ok   Node imports 6 exports, and the command runs",
    "ok   types resolve for node16, nodenext and bundler",
  ]);
  expect(lines.at(-1)).toMatch(/^keelson-.*\.tgz: \d{3} files, \d+ kB packed, \d+ kB unpacked$/);
  expect((await readdir(folder)).toSorted()).toEqual([
    "LICENSES.md",
    "SHA256SUMS",
    tarball,
    "sbom.cdx.json",
  ]);

  const sum = createHash("sha256")
    .update(await readFile(join(folder, tarball)))
    .digest("hex");
  expect(await read("SHA256SUMS")).toContain(`${sum}  ${tarball}\n`);

  const sbom = JSON.parse(await read("sbom.cdx.json")) as Sbom;
  const names = sbom.components.map(({ name }) => name);
  // One that only users need, one that development needs too, one of another, and one that is bundled.
  expect(names).toEqual(expect.arrayContaining(["ws", "rolldown", "argparse", "svelte"]));
  expect(names).not.toContain("vitest");
  expect(sbom.metadata).toMatchObject({ component: { name: "keelson", version } });
  for (const name of names) expect(await read("LICENSES.md")).toContain(`| ${name} | `);
});

it("refuses what is not committed", async () => {
  await execute("git", ["init", "--quiet"], folder);
  await requireCommitted(folder);
  await writeFile(join(folder, "new.ts"), "");
  await expect(requireCommitted(folder)).rejects.toThrow("not committed:\n?? new.ts\n");
});
