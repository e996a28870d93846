import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blueprintDefinitions } from "../../src/blueprints/index.ts";
import { bundleDefinitions } from "../../src/bundles/index.ts";
import { type Cluster, connectTo, type ConnectionSettings } from "../../src/cluster/index.ts";
import { groupDefinition } from "../../src/inventory/index.ts";
import { serveInMemory } from "../../src/sandbox/serve-sandbox.ts";
import { installDefinitions } from "../blueprints/blueprint-world.ts";
import { settingsOf } from "../cluster/test-settings.ts";
import { judgedDefinitions } from "./parts.ts";
import type { ServerName } from "./way-in.ts";

/** The API server of all cells of a run, with the kinds that they use. */
export class ContractServer {
  readonly name: ServerName;
  readonly settings: ConnectionSettings;
  /** As the administrator, past every line. */
  readonly cluster: Cluster;
  readonly #close: () => Promise<void>;

  /** A sandbox of its own, or the cluster of a kubeconfig. */
  static async open(kubeconfig: string | undefined): Promise<ContractServer> {
    const { settings, close } =
      kubeconfig === undefined
        ? await serveSandbox()
        : { settings: await settingsOf(kubeconfig), close: () => Promise.resolve() };
    const name = kubeconfig === undefined ? "sandbox" : "real control plane";
    const cluster = connectTo(settings);
    await installDefinitions(cluster, [
      ...judgedDefinitions,
      ...bundleDefinitions,
      ...blueprintDefinitions,
      groupDefinition,
    ]);
    return new ContractServer(name, settings, cluster, close);
  }

  private constructor(
    name: ServerName,
    settings: ConnectionSettings,
    cluster: Cluster,
    close: () => Promise<void>,
  ) {
    this.name = name;
    this.settings = settings;
    this.cluster = cluster;
    this.#close = close;
  }

  async close(): Promise<void> {
    await this.cluster.close();
    await this.#close();
  }
}

async function serveSandbox(): Promise<{
  readonly settings: ConnectionSettings;
  readonly close: () => Promise<void>;
}> {
  const served = await serveInMemory();
  const folder = mkdtempSync(join(tmpdir(), "keelson-contract-"));
  writeFileSync(join(folder, "kubeconfig"), served.kubeconfig);
  const settings = await settingsOf(join(folder, "kubeconfig"));
  return {
    settings,
    close: async () => {
      await served.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
