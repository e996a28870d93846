import { reportFormat } from "./output-flag.ts";
import { resolve } from "node:path";
import type { Cluster, ClusterSelection } from "../cluster/index.ts";
import { DiagnosticError, fail } from "../diagnostics/index.ts";
import { cacheFolder } from "../processes/user-folders.ts";
import type { ClusterFlags } from "./cluster-flags.ts";
import type { CliContext } from "./context.ts";
import { isCi, isSwitchedOn } from "./is-ci.ts";

export interface OpenedCluster {
  readonly cluster: Cluster;
  readonly namespace: string;
  /** The name of the context; none for the sandbox and inside a pod. */
  readonly context?: string;
  /** Which API it is and why, in one line for the user. */
  readonly description: string;
}

/** Whether a command line means the sandbox: it says so, or there is no cluster and somebody sees it. */
export async function usesSandbox(context: CliContext, flags: ClusterFlags): Promise<boolean> {
  return (await chosenCluster(context, flags)) === undefined;
}

/** The API that a command line asks for: a cluster as kubectl finds it, else the sandbox. */
export async function openCluster(
  context: CliContext,
  flags: ClusterFlags,
): Promise<OpenedCluster> {
  const { env } = context.process;
  const selection = await chosenCluster(context, flags);
  if (selection === undefined) return openSandbox(context, flags);
  const { connectTo: connect } = await import("../cluster/index.ts");
  const { namespace, server, settings } = selection;
  const cluster = connect(settings, { namespace, cacheFolder: cacheFolder(env) });
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

/** What is known of the cluster without asking it; what cannot be read counts as none, because nothing is asked. */
export async function clusterInView(
  context: CliContext,
  flags: Pick<ClusterFlags, "context" | "kubeconfig" | "namespace" | "sandbox">,
): Promise<{ readonly context: string | undefined; readonly namespace: string }> {
  const selection = asksForSandbox(context, flags)
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

/** The cluster that a command works on; undefined for the sandbox. */
async function chosenCluster(
  context: CliContext,
  flags: ClusterFlags,
): Promise<ClusterSelection | undefined> {
  if (asksForSandbox(context, flags)) return undefined;
  const selection = await selectionOf(context, flags);
  if (selection !== undefined || isWatched(context)) return selection;
  return fail({
    code: "cluster.none",
    summary: "there is no cluster: no kubeconfig was found, and this does not run in a pod",
    detail: "In CI and without a terminal, Keelson does not fall back to the sandbox.",
    hint: "Set KUBECONFIG or pass --kubeconfig. To use the sandbox, pass --sandbox or set KEELSON_SANDBOX=1.",
  });
}

/** By its flag, or by a variable that holds for many commands; a cluster that the command line names goes before that. */
function asksForSandbox(
  { process: { env } }: CliContext,
  { sandbox, kubeconfig, context }: ClusterFlags,
): boolean {
  const isSet = isSwitchedOn(env, "KEELSON_SANDBOX");
  return sandbox || (isSet && kubeconfig === undefined && context === undefined);
}

/** Somebody who reads that the sandbox is used can object; a pipeline would take it for its cluster. */
function isWatched({ process: { env, stdout, stderr }, stdin }: CliContext): boolean {
  const hasTerminal = [stdin, stdout, stderr].some(({ isTTY }) => isTTY === true);
  return hasTerminal && !isCi(env);
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
  const why = asksForSandbox(context, flags) ? "" : " (there is no cluster)";
  return {
    cluster,
    namespace,
    description: `the sandbox in ${folder}${url === undefined ? "" : `, served at ${url}`}${why}`,
  };
}
