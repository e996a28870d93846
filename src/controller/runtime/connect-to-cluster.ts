import { homedir } from "node:os";
import { type Cluster, connectTo, selectCluster } from "../../cluster/index.ts";
import { fail } from "../../diagnostics/index.ts";

export interface ConnectToClusterOptions {
  /** The file to read; KUBECONFIG, the home directory's and then the pod's own account unless given. */
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
}

/** The API of the cluster that kubectl would use here, or of the cluster that this pod runs in. */
export async function connectToCluster(options: ConnectToClusterOptions = {}): Promise<Cluster> {
  const selection = await selectCluster({
    kubeconfig: options.kubeconfig,
    context: options.context,
    namespace: options.namespace,
    env: process.env,
    home: homedir(),
    interactive: false,
  });
  if (selection === undefined) {
    fail({
      code: "controller.no-cluster",
      summary: "there is no cluster: no kubeconfig was found, and this is no pod",
      hint: "set KUBECONFIG, for example to the file that `keelson sandbox` prints",
    });
  }
  return connectTo(selection.settings, { namespace: selection.namespace });
}
