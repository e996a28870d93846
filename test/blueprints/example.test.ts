/** The example: every workload goes its own way, and its YAML is what its program prints. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cluster, connectTo } from "../../src/cluster/index.ts";
import { blueprintReconcilers, runControllers } from "../../src/controller/index.ts";
import { fieldAt } from "../../src/json/index.ts";
import {
  type KubernetesObject,
  readObjects,
  readObjectsFromText,
} from "../../src/objects/index.ts";
import { type CreatedSandbox, createSandbox } from "../../src/sandbox/index.ts";
import { settingsOf } from "../cluster/test-settings.ts";
import { conditionOf, installDefinitions } from "./blueprint-world.ts";

const root = join(import.meta.dirname, "..", "..");
const example = join(root, "examples", "supply-chain");

describe("examples/supply-chain", () => {
  const folder = mkdtempSync(join(tmpdir(), "keelson-example-"));
  const stop = new AbortController();
  let sandbox: CreatedSandbox;
  let cluster: Cluster;
  let running: Promise<void>;
  beforeAll(async () => {
    sandbox = await createSandbox();
    const kubeconfig = join(folder, "kubeconfig");
    writeFileSync(kubeconfig, sandbox.kubeconfig, { mode: 0o600 });
    cluster = connectTo(await settingsOf(kubeconfig));
    await installDefinitions(cluster);
    const { objects } = await readObjects([example]);
    for (const { object } of objects) await cluster.apply(object, { fieldManager: "test" });
    running = runControllers({
      cluster,
      reconcilers: blueprintReconcilers(),
      signal: stop.signal,
      holder: "test",
    });
  });
  afterAll(async () => {
    stop.abort();
    await running;
    await cluster.close();
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function ready(kind: string, count: number): Promise<readonly KubernetesObject[]> {
    const found = new Map<string, KubernetesObject>();
    const signal = AbortSignal.timeout(90_000);
    const reference = { apiVersion: "kontinue.io/v1alpha1", kind };
    for await (const event of cluster.watch(reference, { namespace: "default", signal })) {
      if (event.kind === "bookmark") continue;
      for (const each of event.kind === "snapshot" ? event.objects : [event.object])
        found.set(each.metadata.name ?? "", each);
      const all = [...found.values()];
      if (all.filter((each) => conditionOf(each, "Ready") === "True").length === count) return all;
    }
    throw new Error(
      `not ready: ${JSON.stringify([...found.values()].map((each) => each["status"]))}`,
    );
  }

  it("brings every workload to a running Deployment, each on its own way", async () => {
    const workloads = await ready("Workload", 3);
    const deliverables = await ready("Deliverable", 3);
    const used = (object: KubernetesObject): string =>
      [0, 1, 2, 3]
        .map((index) => {
          const name = fieldAt(object, "status", "resources", index, "templateRef", "name");
          return typeof name === "string" ? name : "–";
        })
        .join(" ");
    expect(
      workloads.map((each) => `${each.metadata.name ?? ""}: ${used(each)}`).toSorted(byText),
    ).toEqual([
      "catalog: image-source – builder hand-over",
      "checkout: git-source tests builder hand-over",
      "shop: git-source – builder hand-over",
    ]);
    expect(
      deliverables.map((each) => fieldAt(each, "spec", "source", "image")).toSorted(byText),
    ).toEqual([
      "registry.example.com/checkout",
      "registry.example.com/shop",
      "registry.example.com/team-b/catalog",
    ]);
    const { items } = await cluster.list(
      { apiVersion: "apps/v1", kind: "Deployment" },
      { namespace: "default" },
    );
    expect(items.map(({ metadata }) => metadata.name ?? "").toSorted(byText)).toEqual([
      "catalog",
      "checkout",
      "shop",
    ]);
  });

  it("its YAML is what its program prints", () => {
    const printed = execFileSync(process.execPath, ["platform.ts"], {
      cwd: example,
      encoding: "utf8",
    });
    const kept = readFileSync(join(example, "platform.yaml"), "utf8");
    const objectsIn = (text: string): readonly KubernetesObject[] =>
      readObjectsFromText("platform.yaml", text).objects.map(({ object }) => object);
    expect(objectsIn(kept)).toEqual(objectsIn(printed));
  });
});

function byText(left: unknown, right: unknown): number {
  return String(left) < String(right) ? -1 : 1;
}
