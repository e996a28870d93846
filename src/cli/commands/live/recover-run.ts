import type { Diagnostic } from "../../../diagnostics/index.ts";
import {
  ensureGroupDefinition,
  type Inventory,
  knownInventory,
  loadInventory,
  saveInventory,
  takeLease,
} from "../../../inventory/index.ts";
import { formatIdentity, identityKey, type ObjectIdentity } from "../../../objects/index.ts";
import { ownedObjects } from "../../../observe/index.ts";
import type { CommandHandler } from "../../command.ts";
import { exitCode } from "../../exit-code.ts";
import { report } from "../../report.ts";
import { openCluster, sayCluster } from "../../open-cluster.ts";
import { leaseHolder } from "./live-run.ts";
import { loadGroup } from "./load-package.ts";
import type { LiveRecoverFlags } from "./recover.ts";

const leaseWaitMs = 60_000;

export const runLiveRecover: CommandHandler<LiveRecoverFlags, [string]> = async (
  context,
  flags,
  input,
) => {
  const group = await loadGroup(context, input, flags.rgFile);
  const opened = await openCluster(context, flags);
  const { cluster } = opened;
  sayCluster(context, flags, opened);
  try {
    const { found, unlisted } = await ownedObjects(cluster, group.id);
    report(context, unlistedWarning(unlisted), flags.output);
    let added = unknownOf(found, await knownInventory(cluster, group));
    if (!flags.dryRun && added.length > 0) {
      await ensureGroupDefinition(cluster);
      const lease = await takeLease(cluster, group, { holder: leaseHolder(), waitMs: leaseWaitMs });
      try {
        const inventory = await loadInventory(cluster, group);
        const known = inventory.parts.flatMap(({ entries }) => entries);
        added = unknownOf(found, inventory);
        await saveInventory(cluster, inventory, [...known, ...added], inventory.statuses);
      } finally {
        await lease.release();
      }
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

/** Which of these objects an inventory does not name. */
function unknownOf(
  found: readonly ObjectIdentity[],
  { parts }: Inventory,
): readonly ObjectIdentity[] {
  const keys = new Set(parts.flatMap(({ entries }) => entries.map(identityKey)));
  return found.filter((entry) => !keys.has(identityKey(entry)));
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
