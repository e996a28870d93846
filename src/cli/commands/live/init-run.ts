import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { randomInt } from "node:crypto";
import { fail } from "../../../diagnostics/index.ts";
import { checkGroup, groupFileText, idOfGroup } from "../../../inventory/index.ts";
import type { CommandHandler } from "../../command.ts";
import { exitCode } from "../../exit-code.ts";
import type { LiveInitFlags } from "./init.ts";
import { packageFolder, readKptfile } from "../../../engine/index.ts";
import { hostOf } from "../../host-of.ts";

export const runLiveInit: CommandHandler<LiveInitFlags, [string]> = async (
  context,
  flags,
  directory,
) => {
  const folder = packageFolder(hostOf(context), directory);
  const file =
    flags.rgFile === undefined
      ? join(folder, "resourcegroup.yaml")
      : resolve(context.workingDirectory, flags.rgFile);
  const shown = relative(context.workingDirectory, file) || file;
  if (existsSync(file) && !flags.force) {
    fail({
      code: "live.group-exists",
      summary: `${shown} exists already`,
      hint: "use it as it is, or replace it with --force",
    });
  }
  const kptfile = await readKptfile(folder);
  if (kptfile !== undefined && flags.inventoryId === undefined) {
    fail({
      code: "live.group-exists",
      summary: `the Kptfile in ${directory} already has the inventory ${kptfile.namespace}/${kptfile.name}`,
      hint: "move it to a file of its own: keelson live migrate",
    });
  }
  const name = flags.name ?? `inventory-${String(randomInt(100_000_000)).padStart(8, "0")}`;
  const namespace = flags.namespace ?? "default";
  checkGroup({ name, namespace, id: idOfGroup(name, namespace, flags.inventoryId), source: shown });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, groupFileText({ name, namespace, id: flags.inventoryId }));
  if (!flags.quiet)
    context.process.stdout.write(
      `${context.style.stdout.green("✓")} ${shown}: inventory ${namespace}/${name}\n`,
    );
  return exitCode.success;
};
