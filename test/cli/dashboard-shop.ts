import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ClusterActions } from "../../src/cli/dashboard/cluster-actions.ts";
import { SourcePlans } from "../../src/cli/dashboard/source-plans.ts";
import { withProviders } from "../../src/cli/dashboard/with-providers.ts";
import { readProject } from "../../src/engine/index.ts";
import type { Cluster } from "../../src/cluster/index.ts";
import { type DashboardServer, serveDashboard } from "../../src/dashboard/index.ts";
import { shopWorld } from "../browser/shop-world.ts";
import { DashboardClient } from "./dashboard-client.ts";
import { quietContext } from "./quiet-context.ts";
import { hostOf } from "../../src/cli/host-of.ts";

const page = new URL("../../web/", import.meta.url);

/** The key of one of its components. */
export const cart = "shop/shop-shop/cart";

export const cartReference = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  namespace: "shop",
  name: "cart",
};

/** A shop with two components, and dashboards of it. */
export interface DashboardShop {
  readonly cluster: Cluster;
  /** The project whose plans the dashboards show. */
  readonly folder: string;
  /** The link of the dashboard that acts. */
  readonly link: string;
  readonly client: DashboardClient;
  /** Talks to the dashboard that is only for reading. */
  readonly reader: DashboardClient;
  /** Talks to a dashboard of another project in the same cluster. */
  readonly clientOf: (folder: string) => Promise<DashboardClient>;
  readonly close: () => Promise<void>;
}

export async function openDashboardShop(): Promise<DashboardShop> {
  const folder = await mkdtemp(join(tmpdir(), "keelson-actions-"));
  await writeFile(join(folder, "keelson.json"), '{"project": "side"}');
  const world = await shopWorld(page);
  await world.apply(["web", "cart"]);
  const { cluster } = world;
  const servers: DashboardServer[] = [];
  const serve = async (home: string, canAct: boolean): Promise<string> => {
    const context = quietContext(home);
    const project = await readProject(hostOf(context), ".", undefined);
    const opened = { cluster, namespace: "default" };
    const plans = new SourcePlans(context, { input: ".", project, opened });
    const actions = canAct
      ? new ClusterActions(context, { cluster, withProviders: withProviders(context, ".") })
      : undefined;
    const shared = { cluster, description: "the shop", port: 0, page, plans };
    const server = await serveDashboard(actions === undefined ? shared : { ...shared, actions });
    servers.push(server);
    return server.link;
  };
  const enter = async (link: string): Promise<DashboardClient> => {
    const client = new DashboardClient(link);
    await client.enter();
    return client;
  };
  const link = await serve(folder, true);
  const client = await enter(link);
  const reader = await enter(await serve(folder, false));
  await client.view(({ isComplete, components }) => isComplete && components.length === 3);
  return {
    cluster,
    folder,
    link,
    client,
    reader,
    clientOf: async (home) => enter(await serve(home, true)),
    close: async () => {
      await Promise.all(servers.map((server) => server.close()));
      await world.close();
      await rm(folder, { recursive: true });
    },
  };
}
