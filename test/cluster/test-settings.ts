import { selectCluster } from "../../src/cluster/index.ts";
import type { ConnectionSettings } from "../../src/cluster/index.ts";

/** How to reach the cluster of a kubeconfig, whatever the environment says. */
export async function settingsOf(kubeconfig: string): Promise<ConnectionSettings> {
  const selection = await selectCluster({ kubeconfig, env: {}, home: "/nonexistent" });
  if (selection === undefined) throw new Error(`${kubeconfig} names no cluster`);
  return selection.settings;
}
