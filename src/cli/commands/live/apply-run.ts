import { hostname, userInfo } from "node:os";
import { applyGroup } from "../../../apply/index.ts";
import type { CommandHandler } from "../../command.ts";
import { type ExitCode, exitCode } from "../../exit-code.ts";
import { openCluster } from "../../open-cluster.ts";
import { report } from "../../report.ts";
import { stopOnInterrupt } from "../../stop-on-interrupt.ts";
import { openView } from "../../views/open-view.ts";
import type { LiveApplyFlags } from "./apply.ts";
import { completeObjects, loadPackage } from "./load-package.ts";

export const runLiveApply: CommandHandler<LiveApplyFlags, [string]> = async (
  context,
  flags,
  input,
) => {
  const loaded = await loadPackage(context, input, flags.rgFile);
  const { cluster, namespace, description } = await openCluster(context, flags);
  const json = flags.output === "json";
  const interrupt = stopOnInterrupt();
  try {
    const { objects, warnings } = await completeObjects(cluster, loaded.objects, namespace);
    report(context, [...loaded.warnings, ...warnings], json ? "json" : "text");
    if (!json)
      context.process.stderr.write(`${context.style.stderr.dim(`using ${description}`)}\n`);
    const view = openView(context, { json, verbose: flags.showStatusEvents || flags.dryRun });
    const run = await applyGroup({
      cluster,
      group: loaded.group,
      desired: objects,
      policy: flags.inventoryPolicy,
      manager: flags.fieldManager,
      forceConflicts: flags.forceConflicts,
      reconcileTimeoutMs: flags.reconcileTimeout,
      pruneTimeoutMs: flags.pruneTimeout,
      propagationPolicy: flags.prunePropagationPolicy,
      waits: flags.wait,
      dryRun: flags.dryRun,
      holder: leaseHolder(),
      leaseWaitMs: flags.reconcileTimeout,
      emit: view.emit,
      signal: interrupt.signal,
    });
    view.close();
    if (interrupt.signal.aborted) return exitCode.interrupted;
    return endCode(run, flags.allowSkips);
  } finally {
    interrupt.release();
    await cluster.close();
  }
};

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
