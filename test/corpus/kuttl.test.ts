import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSandbox } from "../../src/sandbox/index.ts";
import { yttRunner } from "../../src/controller/index.ts";
import { BlueprintWorld } from "../blueprints/blueprint-world.ts";
import { ensureProgram } from "../cluster/binaries.ts";
import { cartographer } from "../cluster/cartographer.ts";
import { ytt } from "../cluster/ytt.ts";
import { patienceMs } from "../patience.ts";
import { corpusObjects } from "./corpus-objects.ts";
import { kuttlSteps, runKuttlStep } from "./kuttl.ts";
import { moduleFolder } from "./module-folder.ts";

const module = await moduleFolder({
  module: "github.com/vmware-tanzu/cartographer",
  version: cartographer.version,
});
const yttPath = await ensureProgram(ytt, console.log);
const suites = ["delivery", "runnable", "supplychain"];

/** What kuttl installs before the first folder: Cartographer's definitions, and those of the suites. */
const definitions = ["config/crd/bases", "tests/resources/crds"].flatMap((path) =>
  corpusObjects(join(module, path)).map(({ object }) => object),
);

/** Each folder on a sandbox of its own: many have objects of the same names. */
async function openWorld(): Promise<BlueprintWorld> {
  const folder = mkdtempSync(join(tmpdir(), "keelson-kuttl-"));
  const kubeconfig = join(folder, "kubeconfig");
  const sandbox = await createSandbox();
  writeFileSync(kubeconfig, sandbox.kubeconfig, { mode: 0o600 });
  const world = await BlueprintWorld.open(kubeconfig, definitions);
  // The control plane of kuttl allows everything.
  await world.apply(
    `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: everybody}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: system:serviceaccounts}]
`,
  );
  const running = await world.control({ renderYtt: yttRunner(yttPath) });
  onTestFinished(async () => {
    await running.stop();
    await world.cluster.close();
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return world;
}

describe.each(suites)("Cartographer's own suite of %s", (suite) => {
  const folders = readdirSync(join(module, "tests/kuttl", suite)).toSorted();
  it.each(folders)("%s", async (folder) => {
    const { cluster } = await openWorld();
    for (const step of kuttlSteps(join(module, "tests/kuttl", suite, folder)))
      expect(await runKuttlStep(cluster, step, patienceMs)).toEqual([]);
  });
});
