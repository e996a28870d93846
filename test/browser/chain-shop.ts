/** A sandbox with the platform of examples/supply-chain, its workloads, and a controller. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../scripts/run.ts";
import { blueprintDefinitions } from "../../src/blueprints/index.ts";
import { type Cluster, connectTo } from "../../src/cluster/index.ts";
import {
  blueprintReconcilers,
  type Reconciler,
  runControllers,
} from "../../src/controller/index.ts";
import { type DashboardServer, serveDashboard } from "../../src/dashboard/index.ts";
import { type KubernetesObject, readObjects } from "../../src/objects/index.ts";
import { createSandbox } from "../../src/sandbox/index.ts";
import { installDefinitions } from "../blueprints/blueprint-world.ts";
import { settingsOf } from "../cluster/test-settings.ts";

export interface ChainShop {
  readonly cluster: Cluster;
  readonly server: DashboardServer;
  readonly close: () => Promise<void>;
}

export async function chainShop(page: URL): Promise<ChainShop> {
  const { objects } = await readObjects([join(root, "examples", "supply-chain")]);
  return controlledShop(page, {
    definitions: blueprintDefinitions,
    objects: objects.map(({ object }) => object),
    reconcilers: blueprintReconcilers(),
  });
}

/** The same with anything else that a controller looks after. */
export async function controlledShop(
  page: URL,
  {
    definitions,
    objects,
    reconcilers,
  }: {
    readonly definitions: readonly KubernetesObject[];
    readonly objects: readonly KubernetesObject[];
    readonly reconcilers: readonly Reconciler[];
  },
): Promise<ChainShop> {
  const folder = await mkdtemp(join(tmpdir(), "keelson-chains-"));
  const sandbox = await createSandbox();
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, sandbox.kubeconfig, { mode: 0o600 });
  const cluster = connectTo(await settingsOf(kubeconfig), { namespace: "default" });
  await installDefinitions(cluster, definitions);
  for (const object of objects) await cluster.apply(object, { fieldManager: "test" });
  const stop = new AbortController();
  const running = runControllers({
    cluster,
    reconcilers,
    signal: stop.signal,
    holder: "test",
  });
  const server = await serveDashboard({ cluster, description: "the platform", port: 0, page });
  return {
    cluster,
    server,
    close: async () => {
      await server.close();
      stop.abort();
      await running;
      await cluster.close();
      await sandbox.close();
      await rm(folder, { recursive: true });
    },
  };
}
