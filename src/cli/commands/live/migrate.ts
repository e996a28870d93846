import { buildCommand } from "@stricli/core";
import { clusterFlags, type ClusterFlags } from "../../cluster-flags.ts";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { rgFileFlag, directoryPositional } from "./flags.ts";
import { switchFlag, textFlag } from "../../flag.ts";

export interface LiveMigrateFlags extends ClusterFlags {
  readonly rgFile?: string;
  readonly name?: string;
  readonly force: boolean;
  readonly dryRun: boolean;
}

export const liveMigrateCommand = buildCommand<LiveMigrateFlags, [string], CliContext>({
  loader: lazily(async () => (await import("./migrate-run.ts")).runLiveMigrate),
  parameters: {
    flags: {
      ...rgFileFlag,
      name: textFlag("The name of the ResourceGroup; that of the inventory unless given", "name"),
      force: switchFlag("Replace a file of the ResourceGroup that exists already"),
      dryRun: switchFlag("Show what would happen; nothing is written"),
      ...clusterFlags,
    },
    positional: directoryPositional,
  },
  docs: {
    brief: "Moves the inventory out of the Kptfile, or out of a ConfigMap, into a ResourceGroup",
    fullDescription: describe(
      "Writes resourcegroup.yaml with the name, namespace and id that the Kptfile has, and removes\nthem there; comments and everything else in the Kptfile stay. An inventory of the older kind, a\nConfigMap, is moved in the cluster too: what it owns goes to a ResourceGroup of the same id.",
      [
        ["keelson live migrate deploy/", "deploy/Kptfile to deploy/resourcegroup.yaml"],
        ["keelson live migrate --rg-file rg.yaml", "to another file"],
      ],
      "live migrate",
    ),
  },
});
