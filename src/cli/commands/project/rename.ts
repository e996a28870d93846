import { buildCommand } from "@stricli/core";
import { clusterFlags, type ClusterFlags } from "../../cluster-flags.ts";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { outputFlag, type OutputFlags } from "../../output-flag.ts";
import { projectFlags, type ProjectFlags, sourceFlag, type SourceFlags } from "./flags.ts";
import { switchFlag, word, yesFlag } from "../../flag.ts";

export interface RenameFlags extends ClusterFlags, OutputFlags, ProjectFlags, SourceFlags {
  readonly dryRun: boolean;
  readonly yes: boolean;
}

export const renameCommand = buildCommand<RenameFlags, [string, string], CliContext>({
  loader: lazily(async () => (await import("./rename-run.ts")).runRename),
  parameters: {
    flags: {
      ...projectFlags,
      ...sourceFlag,
      dryRun: switchFlag("Show what would happen; nothing at all is written"),
      ...yesFlag,
      ...clusterFlags,
      ...outputFlag,
    },
    aliases: { n: "namespace", o: "output", y: "yes" },
    positional: {
      kind: "tuple",
      parameters: [word("The name that it has", "old"), word("The name that it is to have", "new")],
    },
  },
  docs: {
    brief: "Gives a resource of a program, or a module of them, another name",
    fullDescription: describe(
      "Moves the record of a resource, and of all that it allocated, from one name to another, so that\nthe next plan neither deletes nor creates it. A module or a class means all resources in it.",
      [
        [
          'keelson rename "dev:shop:main:keelson:k8s/ConfigMap#a" "dev:shop:main/Shop:keelson:k8s/ConfigMap#a"',
          "after moving it into a class",
        ],
        ["keelson rename dev:shop:main dev:shop:site", "after renaming main.ts to site.ts"],
        ["keelson rename OLD NEW --dry-run", "what would be renamed"],
      ],
      "rename",
    ),
  },
});
