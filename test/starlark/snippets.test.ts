import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withoutDifferences } from "./differences.ts";
import { ensureOracle, runOracle } from "./oracle.ts";
import { runOurs } from "./run-ours.ts";
import { expressions } from "./snippets/expressions.ts";
import { modules, programs } from "./snippets/programs.ts";

let oracle = "";
let folder = "";
beforeAll(async () => {
  oracle = await ensureOracle();
  folder = await mkdtemp(join(tmpdir(), "keelson-starlark-"));
  for (const [name, text] of Object.entries(modules)) await writeFile(join(folder, name), text);
});
afterAll(() => rm(folder, { recursive: true }));

const snippets = [...expressions.map((expression) => `print(${expression})\n`), ...programs];

test.concurrent.each(snippets.map((text) => [text]))("%s", async (text) => {
  const theirs = await runOracle(oracle, text, folder);
  expect(withoutDifferences(runOurs(text, folder))).toBe(withoutDifferences(theirs ?? ""));
});
