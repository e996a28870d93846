import { type Cluster, connectTo, selectCluster } from "../cluster/index.ts";
import { fail } from "../diagnostics/index.ts";
import { cacheFolder } from "../processes/user-folders.ts";
import { thisMachine } from "./this-machine.ts";

export interface ConnectOptions {
  /** A kubeconfig file; the one that kubectl would take unless given. */
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly namespace?: string | undefined;
  /** Where KUBECONFIG, HOME and proxies are looked up; the variables of this process unless given. */
  readonly environment?: Readonly<Partial<Record<string, string>>> | undefined;
}

/** Connects to a cluster as kubectl finds it. The connection must be closed. */
export async function connect(options: ConnectOptions = {}): Promise<Cluster> {
  const { kubeconfig, context, namespace, environment: env = thisMachine().environment } = options;
  const home = env["HOME"] ?? env["USERPROFILE"] ?? "";
  const interactive = false;
  const found = await selectCluster({ kubeconfig, context, namespace, env, home, interactive });
  if (found === undefined)
    fail({
      code: "cluster.none",
      summary: "no kubeconfig names a cluster, and this process runs in none",
      hint: "Set KUBECONFIG, or open the embedded API server with `createSandbox` of keelson/sandbox.",
    });
  return connectTo(found.settings, {
    namespace: found.namespace,
    cacheFolder: cacheFolder(env),
  });
}
