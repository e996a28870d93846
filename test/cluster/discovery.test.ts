import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, inject, it } from "vitest";
import { connectTo } from "../../src/cluster/index.ts";
import { kubectlPath } from "./kubectl.ts";
import { useTestCluster } from "./test-cluster.ts";

const test = useTestCluster();
const run = promisify(execFile);

describe("discovery", () => {
  it("finds what kubectl finds", async () => {
    const names = async () => {
      const args = ["api-resources", "--output=name", `--kubeconfig=${inject("kubeconfig")}`];
      const { stdout } = await run(await kubectlPath(), args);
      const ours = (await test.cluster.refreshResources()).names();
      return { ours: [...ours].sort(), theirs: stdout.trim().split("\n").sort() };
    };
    // Other suites may add a kind between the two questions: then both are asked again.
    const agree = async () => {
      const { ours, theirs } = await names();
      return ours.join(" ") === theirs.join(" ") ? "the same" : { ours, theirs };
    };
    await expect.poll(agree).toBe("the same");
  });

  it("knows scope, verbs, short names and subresources", async () => {
    const index = await test.cluster.resources();
    expect(index.named("deploy")).toMatchObject({
      group: "apps",
      version: "v1",
      kind: "Deployment",
      namespaced: true,
    });
    expect(index.named("deployments.v1.apps")?.subresources.map(({ name }) => name)).toEqual([
      "scale",
      "status",
    ]);
    expect(index.named("Namespace")).toMatchObject({ namespaced: false, plural: "namespaces" });
    expect(index.named("events")).toMatchObject({ group: "" });
    expect(index.named("events.events.k8s.io")).toMatchObject({ group: "events.k8s.io" });
    expect(index.preferred("autoscaling", "HorizontalPodAutoscaler")?.version).toBe("v2");
    expect(index.named("nonsense")).toBeUndefined();
  });

  it("notices a kind that is added, though discovery is cached on disk", async () => {
    const cacheFolder = await mkdtemp(join(tmpdir(), "keelson-discovery-"));
    const group = `${test.namespace}.example.com`;
    const before = connectTo(test.settings, { cacheFolder, namespace: test.namespace });
    await before.resources();
    expect(await readdir(join(cacheFolder, "discovery"))).toHaveLength(1);

    await before.apply(
      {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata: { name: `boats.${group}` },
        spec: {
          group,
          scope: "Namespaced",
          names: { kind: "Boat", plural: "boats" },
          versions: [
            {
              name: "v1",
              served: true,
              storage: true,
              schema: { openAPIV3Schema: { type: "object" } },
            },
          ],
        },
      },
      { fieldManager: "test" },
    );
    const crd = {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      name: `boats.${group}`,
    };
    for await (const event of test.cluster.watch(crd, {
      fieldSelector: `metadata.name=boats.${group}`,
    })) {
      if (JSON.stringify(event).includes('"type":"Established"')) break;
    }
    // A second client starts with the file that the first wrote before the CRD was there.
    const after = connectTo(test.settings, { cacheFolder, namespace: test.namespace });
    const boat = { apiVersion: `${group}/v1`, kind: "Boat" };
    await expect.poll(() => after.list(boat).then(({ items }) => items, String)).toEqual([]);

    await after.delete(crd);
    await Promise.all([before.close(), after.close()]);
    await rm(cacheFolder, { recursive: true });
  });
});
