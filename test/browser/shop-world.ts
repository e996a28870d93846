import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { type Cluster, connectTo } from "../../src/cluster/index.ts";
import { type DashboardServer, serveDashboard } from "../../src/dashboard/index.ts";
import { createSandbox } from "../../src/sandbox/index.ts";
import { settingsOf } from "../cluster/test-settings.ts";
import { cronJobs, fillInventory } from "./fill-cluster.ts";
import { runKeelson } from "../cli/run-keelson.ts";

/** A value that must never reach a page. */
export const password = "correct-horse-battery-staple";

const deployment = (name: string, image: string, run: string): string => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: shop, labels: { tier: front } }
spec:
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata:
      labels: { app: ${name} }
      annotations: { sandbox.keelson.dev/run: ${JSON.stringify(run)} }
    spec:
      containers:
        - name: app
          image: ${image}
          envFrom: [{ secretRef: { name: ${name} } }]
---
apiVersion: v1
kind: Service
metadata: { name: ${name}, namespace: shop }
spec: { selector: { app: ${name} }, ports: [{ port: 80 }] }
---
apiVersion: v1
kind: Secret
metadata: { name: ${name}, namespace: shop }
stringData: { password: ${password} }
---`;

const group = `
apiVersion: kpt.dev/v1alpha1
kind: ResourceGroup
metadata: { name: shop, namespace: shop }
---
apiVersion: v1
kind: Namespace
metadata: { name: shop }
---`;

const talks = "for i in $(seq 1 5000); do echo line $i of the log; done; exec sleep 600";

export interface ShopWorld {
  readonly cluster: Cluster;
  /** Applies the shop with these components, and prunes the others. */
  readonly apply: (names: readonly string[], run?: string) => Promise<void>;
  /** Makes an inventory of so many CronJobs, as a run would have left it. */
  readonly fill: (count: number) => Promise<void>;
  readonly serve: (port?: number, token?: string) => Promise<DashboardServer>;
  /** Serves what is seen through another view of the cluster. */
  readonly serveOf: (cluster: Cluster) => Promise<DashboardServer>;
  readonly close: () => Promise<void>;
}

/** A sandbox with a shop in it, applied by the command line. */
export async function shopWorld(page: URL): Promise<ShopWorld> {
  const folder = await mkdtemp(join(tmpdir(), "keelson-shop-"));
  const sandbox = await createSandbox({ allowProcesses: true });
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, sandbox.kubeconfig);
  const cluster = connectTo(await settingsOf(kubeconfig), { namespace: "default" });
  const servers = new Set<DashboardServer>();
  const serve = async (seen: Cluster, port = 0, token?: string): Promise<DashboardServer> => {
    const options = { cluster: seen, description: "the shop", port, token, page };
    const server = await serveDashboard(options);
    servers.add(server);
    return server;
  };
  return {
    cluster,
    apply: async (names, run = talks) => {
      const stdin = group + names.map((name) => deployment(name, "shop/app:1", run)).join("");
      const ran = await runKeelson(["live", "apply", "-", "--kubeconfig", kubeconfig], {
        stdin,
        env: { HOME: folder },
      });
      expect(ran.stderr + ran.stdout).not.toContain("error[");
      expect(ran.code).toBe(0);
    },
    fill: async (count) => {
      await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } });
      await fillInventory(cluster, "many", cronJobs(count));
    },
    serve: (port = 0, token) => serve(cluster, port, token),
    serveOf: (seen) => serve(seen),
    close: async () => {
      await Promise.all([...servers].map((server) => server.close()));
      await cluster.close();
      await sandbox.close();
      await rm(folder, { recursive: true });
    },
  };
}
