import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Cluster } from "../../src/cluster/index.ts";
import { connectTo } from "../../src/cluster/index.ts";
import { type CreatedSandbox, createSandbox } from "../../src/sandbox/index.ts";
import { type ControlPlane, startControlPlane } from "../cluster/control-plane.ts";
import { helmPath, kubectlPath } from "../cluster/kubectl.ts";
import { settingsOf } from "../cluster/test-settings.ts";
import { LiveWorld } from "../live/live-world.ts";
import { differentVerdicts } from "./compare-servers.ts";
import { corpusObjects, objectsOf } from "./corpus-objects.ts";
import { moduleFolder } from "./module-folder.ts";
import { corpusModules } from "./modules.ts";

/**
 * The manifests of projects that people install, on the sandbox and on a real control plane of their own: what
 * one takes, the other takes.
 */
describe("the manifests of others", () => {
  let controlPlane: ControlPlane | undefined;
  let sandbox: CreatedSandbox | undefined;
  let servers: readonly Cluster[] = [];
  const folder = mkdtempSync(join(tmpdir(), "keelson-corpus-"));
  const sandboxConfig = join(folder, "kubeconfig");

  beforeAll(async () => {
    controlPlane = await startControlPlane();
    sandbox = await createSandbox();
    writeFileSync(sandboxConfig, sandbox.kubeconfig);
    servers = await Promise.all(
      [controlPlane.kubeconfig, sandboxConfig].map(async (path) =>
        connectTo(await settingsOf(path)),
      ),
    );
  });
  afterAll(async () => {
    await Promise.all(servers.map((each) => each.close()));
    await sandbox?.close();
    await controlPlane?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const each of corpusModules) {
    it(`${each.module}: every object is judged alike`, async () => {
      const objects = corpusObjects(await moduleFolder(each));
      expect(objects.length).toBeGreaterThan(10);
      expect(await differentVerdicts(objects, servers)).toEqual([]);
    });
    for (const chart of each.charts ?? [])
      it(`${each.module}: what helm makes of ${chart} is judged alike`, async () => {
        const folder = join(await moduleFolder(each), chart);
        const args = ["template", "release", folder, "--namespace", "default", "--include-crds"];
        const objects = objectsOf(await outputOf(await helmPath(), args), chart);
        expect(objects.length).toBeGreaterThan(3);
        expect(await differentVerdicts(objects, servers)).toEqual([]);
      });
    for (const kustomization of each.kustomizations ?? [])
      it(`${each.module}: what kustomize makes of ${kustomization} is judged and applied alike`, async () => {
        const folder = join(await moduleFolder(each), kustomization);
        const text = await outputOf(await kubectlPath(), ["kustomize", folder]);
        const objects = objectsOf(text, kustomization);
        expect(objects.length).toBeGreaterThan(2);
        expect(await differentVerdicts(objects, servers)).toEqual([]);
        // Some are written for API versions that no server has any more: they are refused alike.
        await appliedAlike(text);
      });
    for (const install of each.installs ?? [])
      it(`${each.module}: ${install} is applied alike, and a second time nothing is written`, async () => {
        const text = readFileSync(join(await moduleFolder(each), install), "utf8");
        expect((await appliedAlike(text)).map(({ code }) => code)).toEqual([0, 0]);
      });
  }

  async function appliedAlike(text: string): Promise<readonly Applied[]> {
    const found = await applied(text, sandboxConfig);
    expect(await applied(text, controlPlane?.kubeconfig)).toEqual(found);
    return found;
  }
});

async function outputOf(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { maxBuffer: 1 << 26 });
  return stdout;
}

interface Applied {
  readonly code: number;
  readonly counts: unknown;
}

/** How two applies of a text in a row end, with no waiting. */
async function applied(text: string, kubeconfig: string | undefined): Promise<readonly Applied[]> {
  const world = new LiveWorld(kubeconfig);
  try {
    world.write("p/all.yaml", text);
    await world.live("init {home}/p --name corpus --namespace default");
    const line = "apply {home}/p --no-wait --inventory-policy adopt --output events-json";
    const runs = [await world.live(line), await world.live(line)];
    await world.live("destroy {home}/p");
    return runs.map(({ code, stdout }) => ({ code, counts: countsOf(stdout) }));
  } finally {
    world.remove();
  }
}

function countsOf(lines: string): unknown {
  return lines
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly type?: string; readonly counts?: unknown })
    .findLast(({ type }) => type === "summary")?.counts;
}
