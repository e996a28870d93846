/** Which suite a test belongs to, and what is said where a part cannot be had. */
import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import type { TestProjectConfiguration } from "vitest/config";
import config from "../../vitest.config.ts";
import { kubectlTests } from "../kubectl-tests.ts";

const root = join(import.meta.dirname, "../..");
const withTools = ["test/{cluster,conformance,corpus,installed,starlark,images}/**/*.test.ts"];

it("tests that run kubectl or helm are in a suite that builds them first", () => {
  const allowed = new Set(globSync([...kubectlTests, ...withTools], { cwd: root }));
  const using = globSync("test/**/*.test.ts", {
    cwd: root,
    exclude: ["test/repository/**"],
  }).filter((file) => importsOf(join(root, file)).has(join(root, "test/cluster/kubectl.ts")));
  expect(using).not.toEqual([]);
  expect(using.filter((file) => !allowed.has(file))).toEqual([]);
  const listed = globSync([...kubectlTests], { cwd: root });
  expect(listed.filter((file) => !using.includes(file))).toEqual([]);
});

it("every test is in a suite", () => {
  const suites = (config.test?.projects ?? []) as readonly TestProjectConfiguration[];
  const included = suites.flatMap((suite) =>
    typeof suite === "object" && "test" in suite ? (suite.test?.include ?? []) : [],
  );
  expect(included).not.toEqual([]);
  const run = new Set(globSync(included, { cwd: root }));
  const all = globSync(["src/**/*.test.ts", "test/**/*.test.ts"], { cwd: root });
  expect(all.filter((file) => !run.has(file))).toEqual([]);
});

/** A file and all that it imports of the tests. */
function importsOf(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  const imports = readFileSync(file, "utf8").matchAll(/from "(\.{1,2}\/[^"]+\.ts)"/g);
  for (const [, path = ""] of imports) {
    const imported = join(dirname(file), path);
    if (!relative(root, imported).startsWith("src/")) importsOf(imported, found);
  }
  return found;
}

it.each([
  [
    "",
    /^Left out for want of Go: the tests with .*a real control plane.*\nLeft out .*buildah.*\n$/,
  ],
  ["true", /^$/],
])("without Go and buildah, with CI=%j", async (ci, expected) => {
  const home = await mkdtemp(join(tmpdir(), "keelson-empty-home-"));
  onTestFinished(() => rm(home, { recursive: true }));
  const load = `await import(${JSON.stringify(join(root, "vitest.config.ts"))})`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "--eval", load],
    { cwd: root, env: { HOME: home, PATH: "/nowhere", CI: ci } },
  );
  expect(stdout).toMatch(expected);
});
