import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { makeFolder } from "./make-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "keelson-folder-"));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

it("makes a folder with those above it, once", () => {
  const path = join(folder, "a/b/c");
  for (let time = 0; time < 2; time++) makeFolder(path, { mode: 0o700 });
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

it("fails where something else is in the way", () => {
  writeFileSync(join(folder, "file"), "");
  for (const path of ["file", "file/a", "file/a/b"])
    expect(() => {
      makeFolder(join(folder, path));
    }).toThrow(/EEXIST|ENOTDIR/);
});

it.runIf(existsSync("/proc/self"))("fails, and does not hang, where nothing can be made", () => {
  expect(() => {
    makeFolder("/proc/.local/state/keelson");
  }).toThrow("ENOENT");
});
