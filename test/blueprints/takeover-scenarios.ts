/** The controllers killed mid-way and replaced: nothing is lost, and nothing is there twice. */
import { type ChildProcess, spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fieldAt } from "../../src/json/index.ts";
import { BlueprintWorld, conditionOf } from "./blueprint-world.ts";
import { gitSource, platformYaml, workloadYaml } from "./platform-yaml.ts";

const owners = 40;

export function takeoverScenarios(kubeconfig: () => string): void {
  describe("a controller that is killed mid-way", () => {
    let world: BlueprintWorld;
    const started: ChildProcess[] = [];
    beforeAll(async () => {
      world = await BlueprintWorld.open(kubeconfig());
      await world.allow();
      await world.apply(runs(platformYaml()));
    });
    afterAll(async () => {
      for (const child of started) child.kill("SIGKILL");
      await world.close();
    });

    /** Starts a process; resolves with it when it leads. */
    function start(name: string): { readonly child: ChildProcess; readonly leads: Promise<void> } {
      const script = join(dirname(fileURLToPath(import.meta.url)), "controller-process.ts");
      const child = spawn(process.execPath, [script, kubeconfig(), world.namespace, name], {
        stdio: ["ignore", "pipe", "inherit"],
        env: { ...process.env, NODE_OPTIONS: "" },
      });
      started.push(child);
      const lines = createInterface({ input: child.stdout });
      const leads = new Promise<void>((resolve) => {
        lines.once("line", () => {
          resolve();
        });
      });
      return { child, leads };
    }

    it("loses nothing and doubles nothing", async () => {
      const first = start("first");
      await first.leads;
      const second = start("second");
      const names = Array.from({ length: owners }, (_, index) => `w${index}`);
      const created = Promise.all(names.map((name) => world.apply(workloadYaml(name, gitSource))));
      // Killed as soon as it has come somewhere, with most of the work still before it.
      await world.until(
        { apiVersion: "v1", kind: "ConfigMap" },
        "w0-git",
        (each) => each !== undefined,
      );
      first.child.kill("SIGKILL");
      await created;
      await second.leads;
      for (const name of names) await world.ready(name);
      const { items } = await world.cluster.list(
        { apiVersion: "v1", kind: "ConfigMap" },
        { namespace: world.namespace, labelSelector: "carto.run/resource-name" },
      );
      const steps = Map.groupBy(
        items,
        ({ metadata }) => metadata.labels?.["carto.run/resource-name"] ?? "",
      );
      expect(
        Object.fromEntries([...steps].map(([step, objects]) => [step, objects.length])),
      ).toEqual({ "image-builder": owners, runner: owners, "source-provider": owners });
      // What was stamped before is what is said to be there: every reference leads to its object.
      const known = new Set(items.map(({ metadata }) => metadata.name));
      for (const name of names) {
        const owner = await world.ready(name);
        expect(conditionOf(owner, "ResourcesHealthy")).toBe("True");
        for (const index of [0, 1, 2])
          expect(known).toContain(
            fieldAt(owner, "status", "resources", index, "stampedRef", "name"),
          );
      }
    });
  });
}

/** The second step as one that makes an object for every content: those are easily made twice. */
function runs(yaml: string): string {
  return yaml.replace(
    "imagePath: .data.image\n  template:\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: $(workload.metadata.name)$-image}",
    () =>
      "imagePath: .data.image\n  lifecycle: immutable\n  template:\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {generateName: $(workload.metadata.name)$-image-}",
  );
}
