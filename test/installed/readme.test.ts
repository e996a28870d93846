/** Every command of the README is typed: from top to bottom, and section by section. */
import { readFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { followPage } from "./follow-page.ts";
import { readPage } from "./read-page.ts";
import { TerminalShell } from "./terminal-shell.ts";

const root = join(import.meta.dirname, "../..");
const sections = readFileSync(join(root, "README.md"), "utf8")
  .split(/^## /m)
  .map((text) => ({ title: text.slice(0, text.indexOf("\n")), steps: readPage(text) }));
const filesBefore = (index: number) =>
  sections
    .slice(0, index)
    .flatMap(({ steps }) => steps)
    .filter(({ kind }) => kind === "file");
const typed = sections
  .map(({ title, steps }, index) => ({ title, steps, files: filesBefore(index) }))
  .filter(({ steps }) => steps.some(({ kind }) => kind === "command" || kind === "line"));

it("leaves out only what cannot be typed", () => {
  const reasons = sections.flatMap(({ title, steps }) =>
    steps.flatMap((step) => (step.kind === "skipped" ? [`${title}: ${step.reason}`] : [])),
  );
  expect(reasons).toEqual([
    "Two commands: they are for a checkout, where test/installed/shop.test.ts starts the shop",
    "Install: the tests install the package that they have packed, in the same way",
  ]);
});

/** A reader who tries everything stays in one folder and has one cluster. */
it.concurrent("from top to bottom, with 80 columns", async ({ onTestFinished }) => {
  const shell = await TerminalShell.open({ columns: 80 });
  onTestFinished(() => shell.close());
  await cp(join(root, "examples"), join(shell.folder, "examples"), { recursive: true });
  await followPage(
    shell,
    sections.flatMap(({ steps }) => steps),
  );
});

describe("each section alone, with 120 columns", () => {
  it.concurrent.for(typed)("$title", async ({ steps, files }, { onTestFinished }) => {
    const shell = await TerminalShell.open({ columns: 120 });
    onTestFinished(() => shell.close());
    await cp(join(root, "examples"), join(shell.folder, "examples"), { recursive: true });
    await followPage(shell, [...files, ...steps]);
  });
});

it("completes commands on a terminal", async ({ onTestFinished }) => {
  const shell = await TerminalShell.open();
  onTestFinished(() => shell.close());
  await shell.run("source <(npx keelson completion bash)");
  shell.press("keelson assem\t");
  await shell.shows(() => shell.visible.includes("keelson assemble "));
  shell.type("--help");
  const { printed } = await shell.ended();
  expect(printed).toContain("USAGE\n  keelson assemble [flags]");
});
