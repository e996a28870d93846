/** Every command in the guide and the migration pages is typed, in order, as a reader would. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { followPage, keysIn } from "./follow-page.ts";
import { departure, readPage } from "./read-page.ts";
import { TerminalShell } from "./terminal-shell.ts";

const root = join(import.meta.dirname, "../..");
const pages = globSync("docs/{guide,migration}/*.md", { cwd: root }).toSorted();

it.concurrent.for(pages)("%s does what it says", async (page, { onTestFinished }) => {
  const steps = readPage(readFileSync(join(root, page), "utf8"));
  expect(steps.filter(({ kind }) => kind === "command")).not.toEqual([]);
  expect(steps.filter(({ kind }) => kind === "skipped")).toEqual([]);
  const shell = await TerminalShell.open();
  onTestFinished(() => shell.close());
  await followPage(shell, steps);
});

describe("what a page says and what is printed", () => {
  it.each([
    ["a\nb\n", "a\nb\n", undefined],
    ["a\nb\n", "…\nb\n", undefined],
    ["a\nb\nc\n", "a\n…\n", undefined],
    ["took 0.3 s\n", "took … s\n", undefined],
    ["anything\n", "", undefined],
    ["a\nb\n", "b\n", 'the page says "b", printed is "a"'],
    ["a\nb\n", "a\n", 'the page does not say "b"'],
    ["a\n", "a\nb\n", 'the page says "b", printed is ""'],
  ])("%j against %j", (printed, said, expected) => {
    expect(departure(printed, said)).toBe(expected);
  });

  it("reads files and commands", () => {
    const page =
      "```yaml a/b.yaml\nx: 1\n```\n```console\n$ one \\\n  two\nout\n$ three\n```\n```sh\nfour # and why\n```\n<!-- not run: it is long -->\n\n```sh\nno\n```\n";
    expect(readPage(page)).toEqual([
      { kind: "file", path: "a/b.yaml", content: "x: 1\n" },
      { kind: "command", line: "one \\\n  two", output: "out\n" },
      { kind: "command", line: "three", output: "" },
      { kind: "line", line: "four # and why" },
      { kind: "skipped", reason: "it is long" },
    ]);
  });

  it("finds what the reader types", () => {
    expect(keysIn("…\nShall I? [y/N] y\ndone\n^C\n")).toEqual([
      { after: "…\nShall I? [y/N]", keys: "y\r" },
      { after: "…\nShall I? [y/N] y\ndone\n", keys: "\u0003" },
    ]);
  });
});
