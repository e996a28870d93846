import type { GroupReference } from "../../../inventory/index.ts";
import type { CommandHandler } from "../../command.ts";
import type { ExitCode } from "../../exit-code.ts";
import type { LiveDestroyFlags } from "./destroy.ts";
import { endCode, leaseHolder, type LiveRun, withLiveRun } from "./live-run.ts";
import { destroy, loadGroup } from "../../../engine/index.ts";
import type { ProviderHost } from "../../../providers/index.ts";
import { hostOf } from "../../host-of.ts";

export const runLiveDestroy: CommandHandler<LiveDestroyFlags, [string]> = async (
  context,
  flags,
  input,
) => {
  const group = await loadGroup(hostOf(context), input, flags.rgFile);
  const shown = { verbose: flags.showStatusEvents, showsPlan: flags.dryRun };
  return withLiveRun(context, flags, shown, (live) => destroyInventory(flags, live, group));
};

/** Deletes everything that an inventory owns, and the inventory. */
export async function destroyInventory(
  flags: Omit<LiveDestroyFlags, "rgFile">,
  live: LiveRun,
  group: GroupReference,
  providers?: ProviderHost,
): Promise<ExitCode> {
  const { cluster, view, signal } = live;
  const run = await destroy(
    { cluster, group },
    {
      providers,
      policy: flags.inventoryPolicy,
      forgetKinds: flags.forgetKind,
      deleteTimeoutMs: flags.deleteTimeout,
      propagationPolicy: flags.deletePropagationPolicy,
      dryRun: flags.dryRun,
      holder: leaseHolder(),
      onEvent: view.emit,
      signal,
    },
  ).result;
  return endCode(run, flags.allowSkips);
}
