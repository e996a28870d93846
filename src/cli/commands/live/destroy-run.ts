import type { GroupReference } from "../../../inventory/index.ts";
import { formatIdentity } from "../../../objects/index.ts";
import { labelOfNode, type Plan } from "../../../plan/index.ts";
import type { CommandHandler } from "../../command.ts";
import { confirm, isAsked } from "../../confirm.ts";
import type { CliContext } from "../../context.ts";
import type { ExitCode } from "../../exit-code.ts";
import type { LiveDestroyFlags } from "./destroy.ts";
import { endCode, leaseHolder, type LiveRun, withLiveRun } from "./live-run.ts";
import { destroy, type DestroyOptions, loadGroup } from "../../../engine/index.ts";
import type { ProviderHost } from "../../../providers/index.ts";
import { hostOf } from "../../host-of.ts";

export const runLiveDestroy: CommandHandler<LiveDestroyFlags, [string]> = async (
  context,
  flags,
  input,
) => {
  const group = await loadGroup(hostOf(context), input, flags.rgFile);
  const shown = { verbose: flags.showStatusEvents, showsPlan: flags.dryRun, destroys: true };
  return withLiveRun(context, flags, shown, (live, context) =>
    destroyInventory(context, flags, live, { group }),
  );
};

interface Destroyed {
  readonly group: GroupReference;
  readonly providers?: ProviderHost;
}

/** Deletes everything that an inventory owns, and the inventory; on a terminal after a question that lists it. */
export async function destroyInventory(
  context: CliContext,
  flags: Omit<LiveDestroyFlags, "rgFile">,
  live: LiveRun,
  { group, providers }: Destroyed,
): Promise<ExitCode> {
  const { cluster, view, signal } = live;
  const options: DestroyOptions = {
    providers,
    policy: flags.inventoryPolicy,
    recordsStatus: flags.statusPolicy === "all",
    forgetKinds: flags.forgetKind,
    deleteTimeoutMs: flags.deleteTimeout,
    propagationPolicy: flags.deletePropagationPolicy,
    dryRun: flags.dryRun,
    holder: leaseHolder(),
    onEvent: view.emit,
    signal,
  };
  if (!flags.dryRun && isAsked(context, flags)) {
    const silent = { ...options, dryRun: true, onEvent: () => {} };
    const { plan } = await destroy({ cluster, group }, silent).result;
    listDeleted(context, plan);
    await confirm(context, `Delete everything of ${group.name}?`, flags);
  }
  const run = await destroy({ cluster, group }, options).result;
  return endCode(run, flags.allowSkips);
}

const mostListed = 40;

/** What a destroy would delete, in its order, and what it would leave. */
function listDeleted({ process: { stdout }, style }: CliContext, { nodes }: Plan): void {
  const all = [...nodes.values()];
  for (const node of all.slice(0, mostListed)) {
    const label = labelOfNode(node) ?? formatIdentity(node.identity);
    const why = node.action === "delete" ? "" : ` stays: ${node.message ?? node.reason ?? ""}`;
    stdout.write(`${node.action === "delete" ? style.stdout.red("-") : " "} ${label}${why}\n`);
  }
  if (all.length > mostListed) stdout.write(`  and ${all.length - mostListed} more\n`);
}
