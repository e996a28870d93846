/** What only a bundle can lack: parts that are loaded on their own, and the faces of the library. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TerminalShell } from "./terminal-shell.ts";

let shell: TerminalShell;
beforeAll(async () => {
  shell = await TerminalShell.open();
});
afterAll(async () => {
  await shell.close();
});

async function keelson(...args: readonly string[]): Promise<string> {
  return run(["keelson", ...args].join(" "));
}

async function run(line: string): Promise<string> {
  const { printed, code } = await shell.run(line);
  expect(code, `${line}\n${printed}`).toBe(0);
  return printed;
}

it("plans and applies a program, with values that are known only then", async () => {
  await shell.write("program/keelson.json", '{ "project": "built" }');
  await shell.write(
    "program/main.ts",
    `import { k8s, local, output, random, when } from "keelson";
     const service: k8s.Service = new k8s.Service("web", { spec: { ports: [{ port: 80 }] } });
     const hasAddress = output(service.spec.clusterIP).map((address) => address.length > 0);
     new local.File("says", { path: "says.txt", content: when(hasAddress, "an address", "none") });
     new random.Id("id", { bytes: 4 });`,
  );
  expect(await keelson("plan", "program")).toContain("3 to create");
  expect(await keelson("apply", "program", "--yes")).toContain("3 created");
  expect(await readFile(join(shell.folder, "program/says.txt"), "utf8")).toBe("an address");
  expect(await keelson("destroy", "program", "--yes")).toContain("3 deleted");
});

it.each([
  ["n", "n\r", 1, "error[cli.declined]"],
  ["Ctrl-C", "\u0003", 130, "interrupted"],
  ["Ctrl-D", "\u0004", 1, "error[cli.declined]"],
])("asks before it applies, and takes %s for no", async (_, keys, code, said) => {
  await shell.write("asked/keelson.json", '{ "project": "asked" }');
  await shell.write(
    "asked/map.yaml",
    "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: asked }\n",
  );
  shell.type("keelson apply asked");
  await shell.shows((printed) => printed.trimEnd().endsWith("Apply this to asked-dev? [y/N]"));
  shell.press(keys);
  const ended = await shell.ended();
  expect(ended).toMatchObject({ code });
  expect(ended.printed).toMatch(/^1 to create\nApply this to asked-dev\? \[y\/N\] \S*$/m);
  expect(ended.printed).toContain(`\n${said}`);
  expect(await keelson("status", "asked")).toContain("owns nothing");
});

it("applies YAML, a Tiltfile and a bundle, and draws them", async () => {
  const map = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: built }\n";
  await shell.write("yaml/map.yaml", map);
  await keelson("live", "init", "yaml", "--name", "built");
  expect(await keelson("live", "apply", "yaml")).toContain("1 created");
  expect(await keelson("live", "apply", "yaml")).toContain("1 unchanged");
  expect(await keelson("graph", "yaml", "--format", "svg")).toContain("<svg");
  expect(await keelson("live", "destroy", "yaml", "--yes")).toContain("1 deleted");

  await shell.write("tilt/keelson.json", '{ "project": "tilt" }');
  await shell.write("tilt/map.yaml", map);
  await shell.write(
    "tilt/Tiltfile",
    "k8s_yaml('map.yaml')\nlocal_resource('greet', 'echo hello')\n",
  );
  expect(await keelson("plan", "tilt")).toContain("1 to create");

  await shell.write(
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
  await shell.write("bundle/keelson.json", '{ "project": "bundle" }');
  expect(await keelson("plan", "bundle")).toContain("ConfigMap");
});

it("is a library, whose parts are loaded on their own", async () => {
  await shell.write(
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
  expect((await run("node library.mjs")).trimEnd()).toBe("function true");
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
