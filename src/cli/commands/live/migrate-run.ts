import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { fail } from "../../../diagnostics/index.ts";
import { checkGroup, groupFileText, withoutInventory } from "../../../inventory/index.ts";
import type { CommandHandler } from "../../command.ts";
import { exitCode } from "../../exit-code.ts";
import { readKptfile } from "./load-package.ts";
import type { LiveMigrateFlags } from "./migrate.ts";

export const runLiveMigrate: CommandHandler<LiveMigrateFlags, [string]> = (
  context,
  flags,
  directory,
) => {
  const folder = resolve(context.workingDirectory, directory);
  const file =
    flags.rgFile === undefined
      ? join(folder, "resourcegroup.yaml")
      : resolve(context.workingDirectory, flags.rgFile);
  const shown = (path: string): string => relative(context.workingDirectory, path) || path;
  const { stdout } = context.process;
  const { green } = context.style.stdout;
  const group = readKptfile(folder);
  if (group === undefined) {
    stdout.write(
      `nothing to migrate: ${existsSync(join(folder, "Kptfile")) ? "the Kptfile has no inventory" : `there is no Kptfile in ${directory}`}\n`,
    );
    return exitCode.success;
  }
  if (existsSync(file)) {
    fail({
      code: "live.group-exists",
      summary: `${shown(file)} exists already`,
      hint: "remove it, or choose another file with --rg-file",
    });
  }
  checkGroup(group);
  const kptfile = join(folder, "Kptfile");
  if (flags.dryRun) {
    stdout.write(
      `would write ${shown(file)} with the inventory ${group.namespace}/${group.name}, id ${group.id}, and remove it from ${shown(kptfile)}\n`,
    );
    return exitCode.success;
  }
  // The group first: a crash in between leaves both, which apply accepts because they are the same.
  writeFileSync(file, groupFileText(group));
  const unfinished = `${kptfile}.${process.pid}`;
  writeFileSync(unfinished, withoutInventory(readFileSync(kptfile, "utf8")));
  renameSync(unfinished, kptfile);
  stdout.write(
    `${green("✓")} ${shown(file)}: inventory ${group.namespace}/${group.name}, id ${group.id}\n`,
  );
  return exitCode.success;
};
