import { hostname, userInfo } from "node:os";
import type { Cluster } from "../../../cluster/index.ts";
import { DiagnosticError } from "../../../diagnostics/index.ts";
import { type ClusterReads, readOnce } from "../../../observe/index.ts";
import type { ClusterFlags } from "../../cluster-flags.ts";
import type { CliContext } from "../../context.ts";
import { type ExitCode, exitCode } from "../../exit-code.ts";
import { openCluster, sayCluster } from "../../open-cluster.ts";
import { stopOnInterrupt } from "../../stop-on-interrupt.ts";
import { type OpenedView, openView, type ViewOptions } from "../../views/open-view.ts";
import type { RunOutput } from "./flags.ts";

/** What a command that works on an inventory has at hand. */
export interface LiveRun {
  readonly cluster: Cluster;
  readonly namespace: string;
  /** The name of the context; none for the sandbox and inside a pod. */
  readonly context: string | undefined;
  readonly view: OpenedView;
  readonly signal: AbortSignal;
  /** What is read of the cluster for the first plan. */
  readonly reads: ClusterReads;
}

/**
 * Opens cluster and view for a command, and closes both, whatever happens in between. What writes in
 * between does so by the context that it is given, or the view would write over it.
 */
export async function withLiveRun(
  context: CliContext,
  flags: ClusterFlags & { readonly output: RunOutput },
  shown: Omit<ViewOptions, "output">,
  body: (run: LiveRun, context: CliContext) => Promise<ExitCode>,
): Promise<ExitCode> {
  const opened = await openCluster(context, flags);
  const { cluster, namespace } = opened;
  const view = openView(context, { output: flags.output, ...shown });
  const interrupt = stopOnInterrupt(view.context.process.stderr);
  // An input that somebody still types would be waited for.
  interrupt.signal.addEventListener("abort", () => context.stdin.destroy());
  sayCluster(context, flags, opened);
  try {
    const reads = readOnce(cluster, interrupt.signal);
    const code = await body(
      { cluster, namespace, context: opened.context, view, signal: interrupt.signal, reads },
      view.context,
    );
    return interrupt.signal.aborted ? exitCode.interrupted : code;
  } catch (error) {
    if (!interrupt.signal.aborted || !endsWithInterrupt(error)) throw error;
    return exitCode.interrupted;
  } finally {
    view.close();
    interrupt.release();
    await cluster.close();
  }
}

/** What is thrown where something was waited for when the run was interrupted. */
function endsWithInterrupt(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DiagnosticError)
    return error.diagnostics.every(({ code }) => code === "provider.cancelled");
  return (
    error.name === "AbortError" || ("code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE")
  );
}

/** Who changes an inventory, in words that help whoever finds the Lease. */
export function leaseHolder(): string {
  return `${userInfo().username}@${hostname()} (process ${process.pid})`;
}

export function endCode(
  run: { readonly hasFailures: boolean; readonly hasRefusals: boolean },
  allowSkips: boolean,
): ExitCode {
  if (run.hasFailures) return exitCode.failed;
  return run.hasRefusals && !allowSkips ? exitCode.refused : exitCode.success;
}
