import { destroyGroup, type ProgramRun } from "../../../apply/index.ts";
import type { GroupReference } from "../../../inventory/index.ts";
import type { CommandHandler } from "../../command.ts";
import type { ExitCode } from "../../exit-code.ts";
import type { LiveDestroyFlags } from "./destroy.ts";
import { endCode, leaseHolder, type LiveRun, withLiveRun } from "./live-run.ts";
import { loadGroup } from "./load-package.ts";

export const runLiveDestroy: CommandHandler<LiveDestroyFlags, [string]> = async (
  context,
  flags,
  input,
) => {
  const group = await loadGroup(context, input, flags.rgFile);
  const shown = { verbose: false, showsPlan: flags.dryRun };
  return withLiveRun(context, flags, shown, (live) => destroyInventory(flags, live, group));
};

/** Deletes everything that an inventory owns, and the inventory. */
export async function destroyInventory(
  flags: Omit<LiveDestroyFlags, "rgFile">,
  live: LiveRun,
  group: GroupReference,
  program?: ProgramRun,
): Promise<ExitCode> {
  const run = await destroyGroup({
    cluster: live.cluster,
    group,
    program,
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
}
