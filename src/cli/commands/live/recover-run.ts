import type { Diagnostic } from "../../../diagnostics/index.ts";
import {
  ensureGroupDefinition,
  knownInventory,
  loadInventory,
  saveInventory,
  whileHolding,
} from "../../../inventory/index.ts";
import { formatIdentity, type ObjectIdentity } from "../../../objects/index.ts";
import { ownedObjects } from "../../../observe/index.ts";
import type { CommandHandler } from "../../command.ts";
import { exitCode } from "../../exit-code.ts";
import { report } from "../../report.ts";
import { openCluster, sayCluster } from "../../open-cluster.ts";
import { leaseHolder } from "./live-run.ts";
import { namespacesOf, unknownOf } from "./unlisted-objects.ts";
import { loadGroup } from "../../../engine/index.ts";
import type { LiveRecoverFlags } from "./recover.ts";
import { hostOf } from "../../host-of.ts";

const leaseWaitMs = 60_000;

export const runLiveRecover: CommandHandler<LiveRecoverFlags, [string]> = async (
  context,
  flags,
  input,
) => {
  const group = await loadGroup(hostOf(context), input, flags.rgFile);
  const opened = await openCluster(context, flags);
  const { cluster } = opened;
  sayCluster(context, flags, opened);
  try {
    const known = await knownInventory(cluster, group);
    const { found, unlisted } = await ownedObjects(cluster, group.id, namespacesOf(known));
    report(context, unlistedWarning(unlisted), flags.output);
    let added = unknownOf(found, known);
    if (!flags.dryRun && added.length > 0) {
      await ensureGroupDefinition(cluster);
      const hold = { holder: leaseHolder(), waitMs: leaseWaitMs };
      added = await whileHolding(cluster, group, hold, async (fenced) => {
        const inventory = await loadInventory(fenced, group);
        const entries = inventory.parts.flatMap((part) => part.entries);
        const missing = unknownOf(found, inventory);
        await saveInventory(fenced, inventory, [...entries, ...missing], inventory.statuses);
        return missing;
      });
    }
    print(context.process.stdout, flags, group.id, found, added);
    return exitCode.success;
  } finally {
    await cluster.close();
  }
};

function unlistedWarning(kinds: readonly string[]): readonly Diagnostic[] {
  if (kinds.length === 0) return [];
  return [
    {
      code: "live.recover-incomplete",
      severity: "warning",
      summary: `${kinds.length} kinds may not be listed in the whole cluster; objects of them are not found`,
      detail: kinds.join(", "),
      hint: "run it again as a user who may list them; what is found is added to the rest",
    },
  ];
}

function print(
  stdout: { readonly write: (text: string) => unknown },
  { output, dryRun }: LiveRecoverFlags,
  id: string,
  found: readonly ObjectIdentity[],
  added: readonly ObjectIdentity[],
): void {
  if (output === "json") {
    const timestamp = new Date().toISOString();
    const counts = { found: found.length, added: added.length };
    for (const object of added)
      stdout.write(`${JSON.stringify({ timestamp, type: "recover", object })}\n`);
    stdout.write(`${JSON.stringify({ timestamp, type: "summary", counts })}\n`);
    return;
  }
  for (const entry of added) stdout.write(`+ ${formatIdentity(entry)}\n`);
  const verb = dryRun ? "would be added" : "added";
  stdout.write(
    `${found.length} objects name the inventory ${id}, ${added.length} ${verb} to its ResourceGroup\n`,
  );
}
