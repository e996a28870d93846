import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openPage } from "./open-page.ts";

let folder: string;
const opener = process.platform === "darwin" ? "open" : "xdg-open";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "keelson-opener-"));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

/** What the machine opens pages with, which here only writes down what it was given. */
async function install(end: number): Promise<Record<string, string>> {
  const file = join(folder, opener);
  await writeFile(file, `#!/bin/sh\necho "$1" > '${join(folder, "opened")}'\nexit ${end}\n`);
  await chmod(file, 0o755);
  return { PATH: [folder, process.env["PATH"] ?? ""].join(delimiter) };
}

it("gives the link to what the machine opens pages with", async () => {
  expect(await openPage("http://127.0.0.1:1/?token=a", await install(0))).toBe(true);
  expect(await readFile(join(folder, "opened"), "utf8")).toBe("http://127.0.0.1:1/?token=a\n");
});

it("says so when there is nothing, or when it fails", async () => {
  expect(await openPage("http://127.0.0.1:1/", await install(3))).toBe(false);
  expect(await openPage("http://127.0.0.1:1/", { PATH: join(folder, "nowhere") })).toBe(false);
});
