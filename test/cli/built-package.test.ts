import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";

/*
 * Everything else is tested from its sources. This runs what users install: the bundle, of which a part
 * may be missing although every source is right.
 */

const root = join(import.meta.dirname, "../..");
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "keelson-built-"));
  await mkdir(join(folder, "node_modules"));
  await symlink(root, join(folder, "node_modules/keelson"));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function keelson(...args: readonly string[]): Promise<string> {
  return run(join(root, "bin/keelson.js"), ...args);
}

async function run(...args: readonly string[]): Promise<string> {
  const { HOME: _home, KUBECONFIG: _kubeconfig, ...env } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...env, HOME: folder, XDG_STATE_HOME: folder, XDG_CACHE_HOME: folder, CI: "true" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.once("close", resolve)),
  ]);
  expect({ args, stderr, code }).toMatchObject({ code: 0 });
  return stdout;
}

async function write(name: string, content: string): Promise<string> {
  await mkdir(join(folder, name, ".."), { recursive: true });
  await writeFile(join(folder, name), content);
  return name;
}

it("plans and applies a program, with values that are known only then", async () => {
  await write("program/keelson.json", '{ "project": "built" }');
  await write(
    "program/main.ts",
    `import { k8s, local, output, random, when } from "keelson";
     const service: k8s.Service = new k8s.Service("web", { spec: { ports: [{ port: 80 }] } });
     const hasAddress = output(service.spec.clusterIP).map((address) => address.length > 0);
     new local.File("says", { path: "says.txt", content: when(hasAddress, "an address", "none") });
     new random.Id("id", { bytes: 4 });`,
  );
  expect(await keelson("plan", "program")).toContain("3 to create");
  expect(await keelson("apply", "program")).toContain("3 created");
  expect(await readFile(join(folder, "program/says.txt"), "utf8")).toBe("an address");
  expect(await keelson("destroy", "program", "--yes")).toContain("3 deleted");
});

it("applies YAML, a Tiltfile and a bundle, and draws them", async () => {
  const map = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: built }\n";
  await write("yaml/map.yaml", map);
  await keelson("live", "init", "yaml", "--name", "built");
  expect(await keelson("live", "apply", "yaml")).toContain("1 created");
  expect(await keelson("live", "apply", "yaml")).toContain("1 unchanged");
  expect(await keelson("graph", "yaml", "--format", "svg")).toContain("<svg");
  expect(await keelson("live", "destroy", "yaml")).toContain("1 deleted");

  await write("tilt/keelson.json", '{ "project": "tilt" }');
  await write("tilt/map.yaml", map);
  await write("tilt/Tiltfile", "k8s_yaml('map.yaml')\nlocal_resource('greet', 'echo hello')\n");
  expect(await keelson("plan", "tilt")).toContain("1 to create");

  await write(
    "bundle/bundle.yaml",
    `apiVersion: smith.atlassian.com/v1
kind: Bundle
metadata: { name: built }
spec:
  resources:
    - name: settings
      spec: { object: { apiVersion: v1, kind: ConfigMap, metadata: { name: settings } } }
`,
  );
  await write("bundle/keelson.json", '{ "project": "bundle" }');
  expect(await keelson("plan", "bundle")).toContain("ConfigMap");
});

it("is a library, whose parts are loaded on their own", async () => {
  const main = await write(
    "library.mjs",
    `import { k8s } from "keelson";
     import { createSandbox } from "keelson/sandbox";
     import * as outputs from "keelson/outputs";
     import * as controller from "keelson/controller";
     import * as blueprints from "keelson/blueprints";
     const sandbox = await createSandbox();
     await sandbox.close();
     console.log(typeof k8s.Deployment, [outputs, controller, blueprints].every((part) => Object.keys(part).length > 0));`,
  );
  expect(await run(main)).toBe("function true\n");
});

it.each([
  ["dashboard"],
  ["up"],
  ["ci"],
  ["controller"],
  ["install"],
  ["explain"],
  ["validate"],
  ["types"],
  ["init"],
])("%s has its help", async (command) => {
  expect(await keelson(command, "--help")).toContain("EXAMPLES");
});
