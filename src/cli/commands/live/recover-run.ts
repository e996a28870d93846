import {
  ensureGroupDefinition,
  loadInventory,
  saveInventory,
  takeLease,
} from "../../../inventory/index.ts";
import { formatIdentity, identityKey, type ObjectIdentity } from "../../../objects/index.ts";
import { ownedObjects } from "../../../observe/index.ts";
import type { CommandHandler } from "../../command.ts";
import { exitCode } from "../../exit-code.ts";
import { openCluster } from "../../open-cluster.ts";
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
  const { cluster } = await openCluster(context, flags);
  try {
    const found = await ownedObjects(cluster, group.id);
    let added: readonly ObjectIdentity[] = found;
    if (!flags.dryRun && found.length > 0) {
      await ensureGroupDefinition(cluster);
      const lease = await takeLease(cluster, group, { holder: leaseHolder(), waitMs: leaseWaitMs });
      try {
        const inventory = await loadInventory(cluster, group);
        const known = inventory.parts.flatMap(({ entries }) => entries);
        const keys = new Set(known.map(identityKey));
        added = found.filter((entry) => !keys.has(identityKey(entry)));
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

function print(
  stdout: { readonly write: (text: string) => unknown },
  { output, dryRun }: LiveRecoverFlags,
  id: string,
  found: readonly ObjectIdentity[],
  added: readonly ObjectIdentity[],
): void {
  if (output === "json") {
    for (const object of added) stdout.write(`${JSON.stringify({ type: "recover", object })}\n`);
    stdout.write(
      `${JSON.stringify({ type: "summary", counts: { found: found.length, added: added.length } })}\n`,
    );
    return;
  }
  for (const entry of added) stdout.write(`+ ${formatIdentity(entry)}\n`);
  const verb = dryRun ? "would be added" : "added";
  stdout.write(
    `${found.length} objects name the inventory ${id}, ${added.length} ${verb} to its ResourceGroup\n`,
  );
}
