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
  readonly fromHelm?: string;
}

export const liveMigrateCommand = buildCommand<LiveMigrateFlags, [string], CliContext>({
  loader: lazily(async () => (await import("./migrate-run.ts")).runLiveMigrate),
  parameters: {
    flags: {
      ...rgFileFlag,
      fromHelm: textFlag(
        "Adopt the objects of this Helm release, and delete its Secrets",
        "release",
      ),
      name: textFlag("The name of the ResourceGroup; that of the inventory unless given", "name"),
      force: switchFlag("Replace a file of the ResourceGroup that exists already"),
      dryRun: switchFlag("Show what would happen; nothing is written"),
      ...clusterFlags,
    },
    aliases: { n: "namespace" },
    positional: directoryPositional,
  },
  docs: {
    brief:
      "Moves an inventory from a Kptfile or a ConfigMap, or the objects of a Helm release, to a ResourceGroup",
    fullDescription: describe(
      "Writes resourcegroup.yaml with the name, namespace and id that the Kptfile has, and removes\nthem there; comments and everything else in the Kptfile stay. An inventory of the older kind, a\nConfigMap, is moved in the cluster too: what it owns goes to a ResourceGroup of the same id.\n\nWith --from-helm, the objects of a release become members of the package's inventory. Of the\nobjects only the owner changes. Then the Secrets of the release are deleted, and Helm knows it no more.\nObjects that the package does not hold are listed; the next apply prunes them, after a plan.",
      [
        ["keelson live migrate deploy/", "deploy/Kptfile to deploy/resourcegroup.yaml"],
        ["keelson live migrate --rg-file rg.yaml", "to another file"],
        ["keelson live migrate --from-helm shop -n prod deploy/", "the objects of a Helm release"],
        ["keelson live migrate --from-helm shop deploy/ --dry-run", "what would be adopted"],
      ],
      "live migrate",
    ),
  },
});
