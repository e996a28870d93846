import { destroyGroup } from "../../../apply/index.ts";
import type { CommandHandler } from "../../command.ts";
import type { LiveDestroyFlags } from "./destroy.ts";
import { endCode, leaseHolder, withLiveRun } from "./live-run.ts";
import { loadGroup } from "./load-package.ts";

export const runLiveDestroy: CommandHandler<LiveDestroyFlags, [string]> = async (
  context,
  flags,
  input,
) => {
  const group = await loadGroup(context, input, flags.rgFile);
  return withLiveRun(context, flags, { verbose: false, showsPlan: flags.dryRun }, async (live) => {
    const run = await destroyGroup({
      cluster: live.cluster,
      group,
      policy: flags.inventoryPolicy,
      manager: "keelson",
      deleteTimeoutMs: flags.deleteTimeout,
      propagationPolicy: flags.deletePropagationPolicy,
      dryRun: flags.dryRun,
      holder: leaseHolder(),
      leaseWaitMs: flags.deleteTimeout,
      emit: live.view.emit,
      signal: live.signal,
    });
    return endCode(run, flags.allowSkips);
  });
};
