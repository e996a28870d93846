import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runKeelson } from "./run-keelson.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "keelson-none-"));
  const manifest = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "a", namespace: "default" },
  };
  const group = {
    apiVersion: "kpt.dev/v1alpha1",
    kind: "ResourceGroup",
    metadata: { name: "a", namespace: "default" },
  };
  await writeFile(join(folder, "a.json"), JSON.stringify(manifest));
  await writeFile(join(folder, "group.json"), JSON.stringify(group));
  await writeFile(join(folder, "keelson.json"), JSON.stringify({ project: "a" }));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const nothing = { KEELSON_SANDBOX: "", NO_COLOR: "1" };
const refusal = `error[cluster.none]: there is no cluster: no kubeconfig was found, and this does not run in a pod
  In CI and without a terminal, Keelson does not fall back to the sandbox.
  hint: Set KUBECONFIG or pass --kubeconfig. To use the sandbox, pass --sandbox or set KEELSON_SANDBOX=1.
`;

const onClusters = [
  ["apply"],
  ["plan"],
  ["destroy", "--yes"],
  ["status"],
  ["live", "apply"],
  ["live", "plan"],
  ["live", "status"],
  ["live", "destroy", "--yes"],
  ["up"],
  ["ci"],
  ["down"],
  ["names"],
];

it.each(onClusters)("a pipeline without a cluster is told so: %s %s", async (...args) => {
  const words = args.filter((word) => word !== "");
  const env = { ...nothing, HOME: folder, CI: "true" };
  const ran = await runKeelson(words, { env, terminal: true, workingDirectory: folder });
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining(refusal) });
});

it("so is what has no terminal, and nothing is written", async () => {
  const env = { ...nothing, HOME: folder };
  const ran = await runKeelson(["live", "apply", "."], { env, workingDirectory: folder });
  expect(ran).toEqual({ code: 1, stdout: "", stderr: refusal });
});

it.each([
  ["by its flag", ["--sandbox"], {}],
  ["by the variable", [], { KEELSON_SANDBOX: "1" }],
])("the sandbox is taken %s", async (_how, flags, env) => {
  const ran = await runKeelson(["live", "apply", ".", ...flags], {
    env: { ...nothing, HOME: folder, CI: "true", ...env },
    workingDirectory: folder,
  });
  expect(ran).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("ConfigMap default/a created"),
  });
  expect(ran.stderr).not.toContain("there is no cluster");
});

it("the variable does not take the place of a cluster that the command line names", async () => {
  const missing = join(folder, "kubeconfig");
  const ran = await runKeelson(["live", "status", ".", "--kubeconfig", missing], {
    env: { HOME: folder, KEELSON_SANDBOX: "1" },
    workingDirectory: folder,
  });
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining(missing) });
});

it("somebody at a terminal is told which one is used", async () => {
  const ran = await runKeelson(["live", "status", "."], {
    env: { ...nothing, HOME: folder },
    terminal: true,
    workingDirectory: folder,
  });
  expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("(there is no cluster)") });
});

it.each([["check"], ["graph"], ["assemble"]])("%s needs none", async (command) => {
  const ran = await runKeelson([command, "a.json"], {
    env: { ...nothing, HOME: folder, CI: "true" },
    workingDirectory: folder,
  });
  expect(ran.stderr).not.toContain("cluster.none");
});
