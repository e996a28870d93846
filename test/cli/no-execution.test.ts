import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Ran, runKeelson } from "./run-keelson.ts";

let home: string;
let folder: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "keelson-look-"));
  folder = join(home, "theirs");
  mkdirSync(folder);
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** All files of the input, to see that none was added. */
function files(): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
}

/** Runs a command in the folder, and shows paths as if this process were there. */
const run = async (args: readonly string[]): Promise<Ran> => {
  const { code, stdout, stderr } = await runKeelson(args, {
    env: { HOME: home, PATH: process.env["PATH"] ?? "" },
    workingDirectory: folder,
  });
  const shown = (text: string): string => text.replaceAll(`${folder}/`, "");
  return { code, stdout: shown(stdout), stderr: shown(stderr) };
};

const ran = (): boolean => existsSync(join(home, "ran"));
const touch = (): string => `touch ${join(home, "ran")}`;
const touchModule = (): string =>
  `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(join(home, "ran"))}, "");\n`;
const configMap = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`;

describe("keelson check --no-execution", () => {
  it("runs nothing of a Tiltfile, and says what it does not know", async () => {
    write({
      Tiltfile: `load("./lib/Tiltfile", "make")
load("ext://other", "thing")
include("more.tiltfile")
k8s_yaml(["a.yaml", "b.yaml"])
k8s_yaml(make())
local("${touch()}", quiet=True, echo_off=True)
k8s_yaml(helm("chart"))
k8s_yaml(kustomize("overlay"))
print("hel" + "lo")
`,
      "lib/Tiltfile": `local("${touch()}")\ndef make():\n  return local("${touch()}")\n`,
      "more.tiltfile": `k8s_yaml("c.yaml")\n`,
      "a.yaml": configMap("a"),
      "b.yaml": configMap("b"),
      "c.yaml": configMap("c"),
    });
    const before = files();
    const { code, stdout, stderr } = await run(["check", "--no-execution", "."]);
    expect(stderr).toContain(
      "Tiltfile was not run: its components, images and settings are not known",
    );
    expect(stderr).toContain("local(…) was not run: what it gives is not known\n  at Tiltfile:6:1");
    expect(stderr).toContain("at lib/Tiltfile:3:10");
    expect(stderr).toContain("helm(…) was not run");
    expect(stderr).toContain("kustomize(…) was not run");
    expect(stderr).toContain("k8s_yaml(…) was not read: what it is given is computed");
    expect(stderr).toContain('load(…) was not followed: "ext://other" is outside of its folder');
    expect(stderr).not.toContain("hello");
    expect(stdout).toBe("✓ 3 objects are in order, as far as is known without running anything\n");
    expect(code).toBe(0);
    expect(ran()).toBe(false);
    expect(files()).toEqual(before);
  });

  it("finds what is wrong in a Tiltfile, in what it loads and in its objects", async () => {
    write({
      Tiltfile: 'load("./lib.tiltfile", "x")\nk8s_yaml("a.yaml")\nunknown_function()\n',
      "lib.tiltfile": "def x(:\n",
      "a.yaml": "kind: ConfigMap\n",
    });
    const { code, stderr } = await run(["check", "--no-execution", "Tiltfile"]);
    expect(code).toBe(1);
    expect(stderr).toContain("undefined: unknown_function");
    const alone = await run(["check", "--no-execution", "lib.tiltfile", "a.yaml"]);
    expect(alone.stderr).toContain("starlark.syntax");
    expect(alone.stderr).toContain("apiVersion");
  });

  it("does not know what a command would make", async () => {
    write({ Tiltfile: 'local("make gen.yaml")\nk8s_yaml("gen.yaml")\ninclude("gen/Tiltfile")\n' });
    const { code, stderr } = await run(["check", "--no-execution", "."]);
    expect(stderr).toContain('k8s_yaml(…) was not read: there is no "gen.yaml" yet');
    expect(stderr).toContain('include(…) was not read: there is no "gen/Tiltfile" yet');
    expect(code).toBe(0);
  });

  it("reads nothing outside of the folder", async () => {
    writeFileSync(join(home, "secret.yaml"), "password: hunter2 hunter2: x\n");
    symlinkSync(join(home, "secret.yaml"), join(folder, "linked.yaml"));
    write({
      Tiltfile: `load("../secret.yaml", "x")\ninclude("${join(home, "secret.yaml")}")\nload("./linked.yaml", "y")\nk8s_yaml("../secret.yaml")\nk8s_yaml("linked.yaml")\n`,
    });
    const { stdout, stderr } = await run(["check", "--no-execution", "."]);
    expect(`${stdout}${stderr}`).not.toContain("hunter2");
    expect(stderr.match(/is outside of its folder/g)).toHaveLength(5);
  });

  it("shows nothing of what a program leads to outside of its project", async () => {
    const outside = { json: '{"hunter2": "x", hunter2', ts: "hunter2 = (((\nlet x: = 5\n" };
    for (const [extension, text] of Object.entries(outside))
      writeFileSync(join(home, `secret.${extension}`), text);
    const link = (file: string, from = "json"): void => {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      symlinkSync(join(home, `secret.${from}`), join(folder, file));
    };
    for (const name of ["named", "extended", "tsconfig", "main", "settings", "package"])
      write({ [`${name}/keelson.json`]: '{ "project": "theirs" }' });
    write({
      "named/main.ts": `/// <reference path="${home}/secret.ts" />\nimport a from "${home}/secret.json" with { type: "json" };\nimport "../../secret.ts";\nexport default a;\n`,
      "named/tsconfig.json": '{ "compilerOptions": { "resolveJsonModule": true } }',
      "extended/main.ts": "export {};\n",
      "extended/tsconfig.json": `{ "extends": "${home}/secret.json" }`,
      "tsconfig/main.ts": "export {};\n",
      "package/main.ts": "export {};\n",
      "other/keelson.json": '{ "project": "theirs", "main": "../../secret.ts" }',
      "text/main.ts": "export {};\n",
    });
    link("tsconfig/tsconfig.json");
    link("main/main.ts", "ts");
    link("text/keelson.json");
    link("package/package.json");
    rmSync(join(folder, "settings"), { recursive: true });
    link("settings/Tiltfile", "ts");
    link("objects/a.yaml");
    for (const name of readdirSync(folder))
      for (const output of ["text", "json"]) {
        const { stdout, stderr } = await run(["check", "--no-execution", name, "--output", output]);
        expect(`${stdout}${stderr}`, name).not.toContain("hunter2");
        expect(`${stdout}${stderr}`, name).toMatch(/outside of (?:its folder|the project)/);
      }
    const main = await run(["check", "--no-execution", "main/main.ts"]);
    expect(main.stderr).toContain("main/main.ts was not read: it leads outside of its folder");
  });

  it("parses and type-checks a program, with no code of its project", async () => {
    write({
      "keelson.json": '{ "project": "theirs" }',
      "main.ts": `${touchModule()}import { k8s } from "keelson";\nconst count: number = "three";\nnew k8s.ConfigMap("a", {});\n`,
      "tsconfig.json": `{ "compilerOptions": { "module": "nodenext", "target": "esnext", "composite": true, "tsBuildInfoFile": "${join(home, "ran")}", "generateTrace": "trace" }, "files": ["main.ts"] }`,
      "node_modules/typescript/package.json":
        '{ "name": "typescript", "bin": { "tsc": "tsc.js" } }',
      "node_modules/typescript/tsc.js": `require("node:fs").writeFileSync(${JSON.stringify(join(home, "ran"))}, "");`,
    });
    const before = files();
    const { code, stderr } = await run(["check", "--no-execution", "main.ts"]);
    expect(stderr).toContain("main.ts was not run: its resources are not known");
    expect(stderr).toContain("program.type-error");
    expect(stderr).toContain("main.ts:4:7");
    expect(code).toBe(1);
    expect(ran()).toBe(false);
    expect(files()).toEqual(before);
  });

  it("finds a syntax error in a program", async () => {
    write({
      "keelson.json": '{ "project": "theirs" }',
      "main.js": `${touchModule()}const a = ;\n`,
    });
    const { code, stderr } = await run(["check", "--no-execution", "."]);
    expect(stderr).toContain("program.syntax");
    expect(code).toBe(1);
    expect(ran()).toBe(false);
  });

  it("does not load the plugins of a bundle", async () => {
    write({
      "node_modules/theirs/package.json":
        '{ "name": "theirs", "type": "module", "keelson": { "bundlePlugin": "./plugin.js" } }',
      "node_modules/theirs/plugin.js": `${touchModule()}export default {};\n`,
      "bundle.yaml": `apiVersion: smith.atlassian.com/v1\nkind: Bundle\nmetadata:\n  name: b\n  namespace: default\nspec:\n  resources:\n    - name: one\n      spec:\n        plugin:\n          name: theirs\n          objectName: one\n          spec: {}\n`,
    });
    const { stderr } = await run(["check", "--no-execution", "bundle.yaml"]);
    expect(stderr).toContain("were not run: the objects that they make are not known");
    expect(ran()).toBe(false);
    // It is the flag that makes the difference.
    await run(["check", "bundle.yaml"]);
    expect(ran()).toBe(true);
  });

  it("says in JSON what was not run", async () => {
    write({ Tiltfile: 'local("true")\n' });
    const { stdout } = await run(["check", "--no-execution", ".", "--output", "json"]);
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    expect(events).toMatchObject([
      { type: "warning", code: "check.not-run" },
      { type: "warning", code: "check.not-run", source: { file: "Tiltfile", line: 1 } },
      { type: "summary", objects: 0, executed: false },
    ]);
  });

  it.each([[["--cluster", "a.yaml"]], [[]]])("does not ask a cluster: %j", async (args) => {
    const { code, stderr } = await run(["check", "--no-execution", ...args]);
    expect(code).toBe(1);
    expect(stderr).toContain("--no-execution is for inputs");
  });
});

it.each(["check", "assemble", "graph"])("keelson %s announces what it runs", async (command) => {
  write({
    Tiltfile: `k8s_yaml(local(["sh", "-c", "test -e ran-before; cat a.yaml"], quiet=True, echo_off=True))\nlocal("echo one; echo two >&2")\n`,
    "a.yaml": configMap("a"),
  });
  const { code, stdout, stderr } = await run([command, "Tiltfile"]);
  expect(stderr.split("\n").filter((line) => line.startsWith("running: "))).toEqual([
    "running: test -e ran-before; cat a.yaml",
    "running: echo one; echo two >&2",
  ]);
  expect(stdout).not.toContain("running");
  expect(code).toBe(0);
});
