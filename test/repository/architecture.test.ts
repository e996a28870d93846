/** docs/ARCHITECTURE.md names what is in the code, and the code has no folder that it does not name. */
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { layers } from "../../scripts/layers.ts";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/ARCHITECTURE.md"), "utf8");
const walks = page.slice(page.indexOf("## Four walks"), page.indexOf("## Invariants"));

it("each step of a walk names functions that exist", () => {
  const source = globSync("src/**/*.ts", { cwd: root, exclude: ["**/*.test.ts"] })
    .map((file) => readFileSync(join(root, file), "utf8"))
    .join("\n");
  const named = [...walks.matchAll(/^\d+\. .*(?:\n {3}.*)*/gm)].flatMap(([step]) =>
    [...step.matchAll(/`([A-Za-z]+)`/g)].map(([, name = ""]) => name),
  );
  expect(named.length).toBeGreaterThan(40);
  const isDefined = (name: string): boolean =>
    new RegExp(`(?:function|class|const|async) ${name}\\b|^ {2}(?:async )?${name}\\(`, "m").test(
      source,
    );
  expect(named.filter((name) => !isDefined(name))).toEqual([]);
});

it("no walk has more than twelve steps", () => {
  const lengths = walks
    .split(/^\*\*/m)
    .slice(1)
    .map((walk) => [...walk.matchAll(/^\d+\. /gm)].length);
  expect(lengths).toHaveLength(4);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(12);
});

it("the map names every folder, in the order of the layers", () => {
  const mapped = [...page.matchAll(/^\| `(\w+)\/`/gm)].map(([, name = ""]) => name);
  expect(mapped).toEqual(layers);
  const folders = readdirSync(join(root, "src"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(folders.toSorted()).toEqual(mapped.toSorted());
});

it("text leaves through one place only", () => {
  const writing = /process\.std(?:out|err)\b|console\.(?!log\(event|log\(action|log\(JSON)/;
  const files = globSync("src/**/*.ts", { cwd: root, exclude: ["**/*.test.ts"] }).filter((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .some(
        (line) =>
          !/^\s*(?:\*|\/\/)/.test(line) && writing.test(line.replaceAll("context.process", "")),
      ),
  );
  // The first makes the context of all commands; the second is a library without one, and cleans what it prints.
  expect(files.toSorted()).toEqual(["src/cli/main.ts", "src/engine/this-machine.ts"]);
});
