import { resolve } from "node:path";
import type { Cluster } from "../cluster/index.ts";
import type { ClusterFlags } from "./cluster-flags.ts";
import type { CliContext } from "./context.ts";

export interface OpenedCluster {
  readonly cluster: Cluster;
  readonly namespace: string;
  /** The name of the context; none for the sandbox and inside a pod. */
  readonly context?: string;
  /** Which API it is and why, in one line for the user. */
  readonly description: string;
}

/** The API that a command line asks for: a cluster as kubectl finds it, else the sandbox. */
export async function openCluster(
  context: CliContext,
  flags: ClusterFlags,
): Promise<OpenedCluster> {
  const { env } = context.process;
  const home = env["HOME"] ?? env["USERPROFILE"] ?? "";
  if (!flags.sandbox) {
    const { cacheFolder, connect, selectCluster } = await import("../cluster/index.ts");
    const selection = await selectCluster({
      kubeconfig:
        flags.kubeconfig === undefined
          ? undefined
          : resolve(context.workingDirectory, flags.kubeconfig),
      context: flags.context,
      namespace: flags.namespace,
      env,
      home,
      interactive: context.stdin.isTTY === true,
    });
    if (selection !== undefined) {
      const { namespace, server, settings } = selection;
      const cluster = connect(settings, { namespace, cacheFolder: cacheFolder(env, home) });
      const name =
        selection.origin.kind === "in-cluster"
          ? "the cluster of this pod"
          : `context ${selection.context}`;
      return {
        cluster,
        namespace,
        description: `${name} at ${server}`,
        ...(selection.origin.kind === "in-cluster" ? {} : { context: selection.context }),
      };
    }
  }
  return openSandbox(context, flags);
}

async function openSandbox(context: CliContext, flags: ClusterFlags): Promise<OpenedCluster> {
  const { defaultDataFolder, openSandboxCluster } = await import("../sandbox/index.ts");
  const folder = defaultDataFolder(context.process.env);
  const namespace = flags.namespace ?? "default";
  const { cluster, url } = await openSandboxCluster(folder, { namespace });
  const why = flags.sandbox ? "" : " (there is no cluster)";
  return {
    cluster,
    namespace,
    description: `the sandbox in ${folder}${url === undefined ? "" : `, served at ${url}`}${why}`,
  };
}
