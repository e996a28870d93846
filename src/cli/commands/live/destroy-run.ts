import { destroyGroup } from "../../../apply/index.ts";
import type { CommandHandler } from "../../command.ts";
import { exitCode } from "../../exit-code.ts";
import { openCluster } from "../../open-cluster.ts";
import { stopOnInterrupt } from "../../stop-on-interrupt.ts";
import { openView } from "../../views/open-view.ts";
import { endCode, leaseHolder } from "./apply-run.ts";
import type { LiveDestroyFlags } from "./destroy.ts";
import { loadGroup } from "./load-package.ts";

export const runLiveDestroy: CommandHandler<LiveDestroyFlags, [string]> = async (
  context,
  flags,
  input,
) => {
  const group = await loadGroup(context, input, flags.rgFile);
  const { cluster, description } = await openCluster(context, flags);
  const json = flags.output === "json";
  const interrupt = stopOnInterrupt();
  try {
    if (!json)
      context.process.stderr.write(`${context.style.stderr.dim(`using ${description}`)}\n`);
    const view = openView(context, { json, verbose: flags.dryRun });
    const run = await destroyGroup({
      cluster,
      group,
      policy: flags.inventoryPolicy,
      manager: "keelson",
      deleteTimeoutMs: flags.deleteTimeout,
      propagationPolicy: flags.deletePropagationPolicy,
      dryRun: flags.dryRun,
      holder: leaseHolder(),
      leaseWaitMs: flags.deleteTimeout,
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
