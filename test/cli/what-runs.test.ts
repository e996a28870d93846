import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { whatRuns } from "../../src/cli/what-runs.ts";
import { patienceMs } from "../patience.ts";
import { runKeelson } from "./run-keelson.ts";

const home = mkdtempSync(join(tmpdir(), "keelson-runs-"));
const marker = join(home, "ran");
const touchModule = `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(marker)}, "");\n`;
const map = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: default\n";

/** Each kind of input leaves a mark when any code of it runs. */
const inputs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  tiltfile: {
    "keelson.json": '{ "project": "tiltfile" }',
    Tiltfile: `local(["touch", ${JSON.stringify(marker)}])\nk8s_yaml("a.yaml")\n`,
    "a.yaml": map,
  },
  program: {
    "keelson.json": '{ "project": "program" }',
    "main.ts": `${touchModule}import { k8s } from "keelson";\nnew k8s.ConfigMap("b", {});\n`,
  },
  bundle: {
    "keelson.json": '{ "project": "bundle" }',
    "node_modules/theirs/package.json":
      '{ "name": "theirs", "type": "module", "keelson": { "bundlePlugin": "./plugin.js" } }',
    "node_modules/theirs/plugin.js": `import { writeFileSync } from "node:fs";\nconst mark = () => writeFileSync(${JSON.stringify(marker)}, "");\nmark();\nexport default {\n  describe: () => (mark(), { apiVersion: "v1", kind: "ConfigMap" }),\n  process: () => (mark(), { data: { a: "b" } }),\n};\n`,
    "bundle.yaml":
      "apiVersion: smith.atlassian.com/v1\nkind: Bundle\nmetadata:\n  name: b\nspec:\n  resources:\n    - name: one\n      spec:\n        plugin:\n          name: theirs\n          objectName: one\n          spec: {}\n",
  },
};

beforeAll(() => {
  for (const [input, files] of Object.entries(inputs))
    for (const [path, text] of Object.entries(files)) {
      const file = join(home, input, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
});
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});

/** Whether a command runs code of an input. */
async function runsCode(command: string, input: string): Promise<boolean> {
  rmSync(marker, { force: true });
  const cluster = /^(?:check|assemble|types)/.test(command) ? [] : ["--sandbox"];
  const { stderr, stdout } = await runKeelson([...command.split(" "), ".", ...cluster], {
    env: { HOME: home, PATH: process.env["PATH"] ?? "" },
    workingDirectory: join(home, input),
  });
  expect(`${stdout}${stderr}`).not.toContain("cli.");
  return existsSync(marker);
}

describe("what the help says", () => {
  it.each(Object.entries(whatRuns))("keelson %s", async (command, { text }) => {
    const { stdout } = await runKeelson([...command.split(" "), "--help"]);
    const [, said = ""] = stdout.split("\nRUNS\n");
    expect(said.trim().split(/\s+/).join(" ")).toBe(text);
  });

  it.each([
    ["check", ["tiltfile", "program", "bundle"]],
    ["check --no-execution", []],
    ["assemble", ["tiltfile", "program"]],
    ["graph", ["tiltfile", "program", "bundle"]],
    ["plan", ["tiltfile", "program", "bundle"]],
    ["status", []],
    ["names", []],
    ["refresh", []],
    ["destroy --yes", []],
  ])("is what `keelson %s` does", { timeout: patienceMs }, async (command, expected) => {
    const found: string[] = [];
    for (const input of Object.keys(inputs)) if (await runsCode(command, input)) found.push(input);
    expect(found).toEqual(expected);
  });
});
