/** Every command in the guide and the migration pages is run, in order, as a reader would. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { PageShell } from "./page-shell.ts";
import { departure, readPage } from "./read-page.ts";

const root = join(import.meta.dirname, "../..");
const pages = globSync("docs/{guide,migration}/*.md", { cwd: root }).toSorted();

it.each(pages)("%s does what it says", { timeout: 300_000 }, async (page) => {
  const steps = readPage(readFileSync(join(root, page), "utf8"));
  expect(steps.filter(({ kind }) => kind === "command")).not.toEqual([]);
  const shell = await PageShell.open();
  onTestFinished(() => shell.close());
  for (const step of steps) {
    if (step.kind === "file") {
      await shell.write(step.path, step.content);
      continue;
    }
    const { printed, code } = await shell.run(step.line);
    expect({ command: step.line, code, printed }).toMatchObject({ code: 0 });
    const differs = departure(printed, step.output);
    expect({ command: step.line, differs, printed }).toMatchObject({ differs: undefined });
  }
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
      "```yaml a/b.yaml\nx: 1\n```\n```console\n$ one \\\n  two\nout\n$ three\n```\n```sh\nno\n```\n";
    expect(readPage(page)).toEqual([
      { kind: "file", path: "a/b.yaml", content: "x: 1\n" },
      { kind: "command", line: "one \\\n  two", output: "out\n" },
      { kind: "command", line: "three", output: "" },
    ]);
  });
});
