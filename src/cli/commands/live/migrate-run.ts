import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Cluster } from "../../../cluster/index.ts";
import { fail } from "../../../diagnostics/index.ts";
import {
  checkGroup,
  deleteConfigMapInventory,
  ensureGroupDefinition,
  entriesOfConfigMap,
  findConfigMapInventories,
  deleteInventory,
  groupFileText,
  type GroupReference,
  knownInventory,
  loadInventory,
  saveInventory,
  whileHolding,
  withoutConfigMapInventory,
  withoutInventory,
} from "../../../inventory/index.ts";
import { identityKey, type ObjectIdentity } from "../../../objects/index.ts";
import type { CommandHandler } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { exitCode } from "../../exit-code.ts";
import { openCluster, sayCluster } from "../../open-cluster.ts";
import { leaseHolder } from "./live-run.ts";
import { packageFolder, readConfigMapInventory, readKptfile } from "../../../engine/index.ts";
import type { LiveMigrateFlags } from "./migrate.ts";
import { migrateHelm } from "./migrate-helm.ts";
import { hostOf } from "../../host-of.ts";

const leaseWaitMs = 60_000;

/** Where the inventory of a package is now, and where it goes. */
interface Move {
  readonly group: GroupReference;
  /** The inventory under the name that it has now. */
  readonly before: GroupReference;
  /** The file that names it now. */
  readonly from: string;
  readonly to: string;
}

export const runLiveMigrate: CommandHandler<LiveMigrateFlags, [string]> = async (
  context,
  flags,
  directory,
) => {
  if (flags.fromHelm !== undefined) return migrateHelm(context, flags, directory, flags.fromHelm);
  const folder = packageFolder(hostOf(context), directory);
  const to =
    flags.rgFile === undefined
      ? join(folder, "resourcegroup.yaml")
      : resolve(context.workingDirectory, flags.rgFile);
  const kptfile = await readKptfile(folder);
  const configMap = kptfile === undefined ? await readConfigMapInventory(folder) : undefined;
  const before = kptfile ?? configMap;
  if (before === undefined) {
    context.process.stdout.write(`nothing to migrate: ${whyNothing(folder, directory)}\n`);
    return exitCode.success;
  }
  const group = { ...before, name: flags.name ?? before.name };
  checkGroup(group);
  if (!flags.force) requireFree(context, to, group);
  const move: Move = { group, before, from: before.source, to };
  if (kptfile !== undefined) await moveKptfile(context, flags, move);
  else await moveConfigMap(context, flags, move);
  return exitCode.success;
};

function whyNothing(folder: string, directory: string): string {
  return existsSync(join(folder, "Kptfile"))
    ? "the Kptfile has no inventory"
    : `there is no Kptfile in ${directory}`;
}

/** A run that was killed may have written the file already. */
function requireFree(context: CliContext, file: string, group: GroupReference): void {
  if (!existsSync(file) || readFileSync(file, "utf8") === groupFileText(group)) return;
  fail({
    code: "live.group-exists",
    summary: `${shown(context, file)} exists already`,
    hint: "choose another file with --rg-file, or replace it with --force",
  });
}

async function moveKptfile(
  context: CliContext,
  flags: LiveMigrateFlags,
  move: Move,
): Promise<void> {
  const { group, before, from, to } = move;
  if (flags.dryRun) {
    context.process.stdout.write(
      `would write ${shown(context, to)} with the inventory ${group.namespace}/${group.name}, id ${group.id}, and remove it from ${shown(context, from)}\n`,
    );
    return;
  }
  if (group.name !== before.name) await renameInventory(context, flags, move);
  // The group first: a crash in between leaves both, which apply accepts because they are the same.
  writeFileSync(to, groupFileText(group));
  replaceFile(from, await withoutInventory(readFileSync(from, "utf8")));
  tellDone(context, move);
}

/** What an applied inventory owns goes to the group of the new name before the old one is deleted. */
async function renameInventory(
  context: CliContext,
  flags: LiveMigrateFlags,
  { group, before }: Move,
): Promise<void> {
  const opened = await openCluster(context, flags);
  const { cluster } = opened;
  sayCluster(context, {}, opened);
  try {
    const inventory = await knownInventory(cluster, before);
    if (inventory.parts.length === 0) return;
    const entries = inventory.parts.flatMap((part) => part.entries);
    await addToGroup(cluster, group, entries);
    await deleteInventory(cluster, inventory);
  } finally {
    await cluster.close();
  }
}

/** Every step may be the last one of a run that is killed: the next begins again and finds it done. */
async function moveConfigMap(
  context: CliContext,
  flags: LiveMigrateFlags,
  move: Move,
): Promise<void> {
  const { group, before, from, to } = move;
  const text = groupFileText(group);
  const opened = await openCluster(context, flags);
  const { cluster } = opened;
  sayCluster(context, {}, opened);
  try {
    const found = await findConfigMapInventories(cluster, before);
    const entries = found.flatMap(entriesOfConfigMap);
    if (flags.dryRun) {
      context.process.stdout.write(
        `would write ${shown(context, to)} with the inventory ${group.namespace}/${group.name}, id ${group.id}, move its ${entries.length} objects to a ResourceGroup in the cluster, and remove ${shown(context, from)}\n`,
      );
      return;
    }
    writeFileSync(to, text);
    if (found.length > 0) {
      await addToGroup(cluster, group, entries);
      for (const each of found) await deleteConfigMapInventory(cluster, each);
    }
    const rest = await withoutConfigMapInventory(readFileSync(from, "utf8"));
    if (rest === undefined) rmSync(from);
    else replaceFile(from, rest);
    tellDone(context, move, `, ${entries.length} objects`);
  } finally {
    await cluster.close();
  }
}

async function addToGroup(
  cluster: Cluster,
  group: GroupReference,
  entries: readonly ObjectIdentity[],
): Promise<void> {
  await ensureGroupDefinition(cluster);
  const hold = { holder: leaseHolder(), waitMs: leaseWaitMs };
  await whileHolding(cluster, group, hold, async (fenced) => {
    const inventory = await loadInventory(fenced, group);
    const all = [...inventory.parts.flatMap((part) => part.entries), ...entries];
    const unique = new Map(all.map((entry) => [identityKey(entry), entry]));
    await saveInventory(fenced, inventory, [...unique.values()], inventory.statuses);
  });
}

function replaceFile(file: string, text: string): void {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, file);
}

function tellDone(context: CliContext, { group, to }: Move, more = ""): void {
  context.process.stdout.write(
    `${context.style.stdout.green("✓")} ${shown(context, to)}: inventory ${group.namespace}/${group.name}, id ${group.id}${more}\n`,
  );
}

function shown(context: CliContext, path: string): string {
  return relative(context.workingDirectory, path) || path;
}
