import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readObjects } from "../../src/objects/index.ts";
import { defaultDataFolder, openSandboxCluster } from "../../src/sandbox/index.ts";
import { DashboardClient } from "../cli/dashboard-client.ts";
import { startKeelson } from "../cli/start-keelson.ts";
import { conditionOf } from "./blueprint-world.ts";

const example = join(import.meta.dirname, "..", "..", "examples", "supply-chain");

describe("keelson controller", () => {
  const home = mkdtempSync(join(tmpdir(), "keelson-controller-"));
  afterAll(() => {
    rmSync(home, { recursive: true, force: true });
  });

  it("runs supply chains on the sandbox, and stops in good order", async () => {
    const env = { HOME: home, KUBECONFIG: "", PATH: process.env["PATH"] ?? "" };
    const started = startKeelson(
      ["controller", "--sandbox", "--install", "--dashboard", "--dashboard-port", "0"],
      env,
    );
    let link = "";
    try {
      for (let line = await started.nextLine(); ; line = await started.nextLine()) {
        if (line === undefined) throw new Error(`it ended: ${started.errors()}`);
        if (line.includes('"link"')) ({ link } = JSON.parse(line) as { readonly link: string });
        if (line.includes('"leading"')) break;
      }
      const dashboard = new DashboardClient(link);
      await dashboard.enter();
      const { control } = await dashboard.view(({ isComplete }) => isComplete);
      expect(control.isReadOnly).toBe(true);
      const refused = await dashboard.act({ kind: "restart", component: "any" });
      expect(refused.status).toBe(403);
      const { cluster } = await openSandboxCluster(defaultDataFolder(env));
      const { objects } = await readObjects([example]);
      for (const { object } of objects)
        await cluster.apply(object, { fieldManager: "test", force: true });
      const ready = new Set<string>();
      const kind = { apiVersion: "kontinue.io/v1alpha1", kind: "Workload" };
      const signal = AbortSignal.timeout(90_000);
      for await (const event of cluster.watch(kind, { namespace: "default", signal })) {
        if (event.kind === "bookmark") continue;
        for (const each of event.kind === "snapshot" ? event.objects : [event.object])
          if (conditionOf(each, "Ready") === "True") ready.add(each.metadata.name ?? "");
        if (ready.size === 3) break;
      }
      expect([...ready].toSorted((left, right) => (left < right ? -1 : 1))).toEqual([
        "catalog",
        "checkout",
        "shop",
      ]);
      await cluster.close();
      started.child.kill("SIGTERM");
      expect(await started.exited).toBe(0);
    } finally {
      started.child.kill("SIGKILL");
    }
  });
});
