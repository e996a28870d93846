import { reportFormat } from "./output-flag.ts";
import { resolve } from "node:path";
import type { Cluster, ClusterSelection } from "../cluster/index.ts";
import { DiagnosticError } from "../diagnostics/index.ts";
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

/** Whether a command line means the sandbox: it says so, or there is no cluster. */
export async function usesSandbox(context: CliContext, flags: ClusterFlags): Promise<boolean> {
  return flags.sandbox || (await selectionOf(context, flags)) === undefined;
}

/** The API that a command line asks for: a cluster as kubectl finds it, else the sandbox. */
export async function openCluster(
  context: CliContext,
  flags: ClusterFlags,
): Promise<OpenedCluster> {
  const { env } = context.process;
  const home = env["HOME"] ?? env["USERPROFILE"] ?? "";
  if (!flags.sandbox) {
    const { cacheFolder, connectTo: connect } = await import("../cluster/index.ts");
    const selection = await selectionOf(context, flags);
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

/** What is known of the cluster without asking it; what cannot be read counts as none, because nothing is asked. */
export async function clusterInView(
  context: CliContext,
  flags: Pick<ClusterFlags, "context" | "kubeconfig" | "namespace" | "sandbox">,
): Promise<{ readonly context: string | undefined; readonly namespace: string }> {
  const selection = flags.sandbox
    ? undefined
    : await selectionOf(context, flags).catch((error: unknown) => {
        if (error instanceof DiagnosticError) return undefined;
        throw error;
      });
  return {
    context: selection?.origin.kind === "in-cluster" ? undefined : selection?.context,
    namespace: flags.namespace ?? selection?.namespace ?? "default",
  };
}

/** Says which API a command works on, beside what it prints; programs that read JSON are told nothing. */
export function sayCluster(
  { process: { stderr }, style }: CliContext,
  { output }: { readonly output?: string },
  { description }: Pick<OpenedCluster, "description">,
): void {
  if (reportFormat(output) === "text")
    stderr.write(`${style.stderr.dim(`using ${description}`)}\n`);
}

/** The cluster as kubectl would choose it; undefined when there is none. */
async function selectionOf(
  context: CliContext,
  flags: ClusterFlags,
): Promise<ClusterSelection | undefined> {
  const { selectCluster } = await import("../cluster/index.ts");
  const { env } = context.process;
  return selectCluster({
    kubeconfig:
      flags.kubeconfig === undefined
        ? undefined
        : resolve(context.workingDirectory, flags.kubeconfig),
    context: flags.context,
    namespace: flags.namespace,
    env,
    home: env["HOME"] ?? env["USERPROFILE"] ?? "",
    interactive: context.stdin.isTTY === true,
  });
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
